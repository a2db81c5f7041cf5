use rapidoku::record::Records;
fn main() {
    let text = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let text = &text[..text.len().min(524288 / 82 * 82)];
    let mut r = Records::default();
    for _ in 0..3 {
        let t = std::time::Instant::now();
        for _ in 0..500 {
            r.read(std::hint::black_box(text));
            std::hint::black_box(&r);
        }
        println!("{:.2} ns/record", t.elapsed().as_nanos() as f64 / 500.0 / r.puzzles.len() as f64);
    }
}
