//! Self-contained HTML pages, without other files, scripts or network access, and the plots and tables of reports.

/// Escapes text for the content and the attributes of HTML elements. Control characters appear as in messages.
pub fn escape(text: &str) -> String {
    let text = rapidoku::file::internal::escape(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A page with this title and this body in HTML.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(title),
        include_str!("style.css"),
    )
}

/// The headline of a report, and a line for each of `facts`, phrases about its origin.
pub fn headline(title: &str, facts: &[Vec<String>]) -> String {
    let line = |facts: &Vec<String>| format!("<p class=\"sub\">{}</p>\n", escape(&facts.join(" · ")));
    format!("<h1>{}</h1>\n{}", escape(title), facts.iter().map(line).collect::<String>())
}

/// A time such as `2026-01-31T12:00:00Z` for people.
pub fn date(date: &str) -> String {
    date.replace('T', " ").replace('Z', " UTC")
}

/// The section with the command line.
pub fn command_section(command: &str) -> String {
    format!("<section>\n<h2>Command</h2>\n<pre>{}</pre>\n</section>\n", escape(command))
}

/// A row of a plot.
pub struct Bar {
    pub label: String,
    /// The value in words.
    pub number: String,
    pub length: f64,
    /// The values that `length` is the median of, if there are several.
    pub values: Vec<f64>,
}

/// Horizontal bars from zero to `longest`, with a dot for each of several values. Lengths are in percent, so that one
/// drawing fits every screen; the text is that of the page.
pub fn plot<'b>(bars: impl IntoIterator<Item = &'b Bar>, longest: f64) -> String {
    let percent = |value: f64| format!("{:.2}%", 100.0 * value / longest.max(f64::MIN_POSITIVE));
    let row = |Bar { label, number, length, values }: &Bar| {
        let dots = values.iter().map(|&x| format!("<circle cx=\"{}\" cy=\"7\" r=\"2.5\"/>", percent(x)));
        format!(
            "<tr><th scope=\"row\">{}<td>{}<td><svg height=\"14\" aria-hidden=\"true\"><rect width=\"{}\" \
             height=\"14\"/>{}</svg>\n",
            escape(label),
            escape(number),
            percent(*length),
            dots.collect::<String>()
        )
    };
    format!("<table class=\"plot\">\n{}</table>\n", bars.into_iter().map(row).collect::<String>())
}

/// A table, whose columns but the first are aligned to the right. `class` is that of its element.
pub fn table(class: &str, head: &[&str], rows: &[impl AsRef<[String]>]) -> String {
    let cells = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
        format!("<tr>{}\n", cells.map(|cell| format!("<{tag}>{}", escape(cell))).collect::<String>())
    };
    let rows = rows.iter().map(|row| cells("td", &mut row.as_ref().iter().map(String::as_str)));
    let rows: String = rows.collect();
    let head = if head.is_empty() { String::new() } else { cells("th", &mut head.iter().copied()) };
    format!("<div class=\"scroll\"><table class=\"{class}\">\n{head}{rows}</table></div>\n")
}
