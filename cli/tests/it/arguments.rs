//! Numbers, ranges, names and sizes on the command line.

use std::ops::RangeInclusive;

use rapidoku::rating::{Difficulty, Technique};

/// The value of an option such as `rate --max-er`.
fn parse<T: Clone + Send + Sync + 'static>(option: &str, text: &str) -> Result<T, String> {
    let (command, name) = option.split_once(" --").unwrap();
    let arguments = ["rapidoku", command, &format!("--{name}={text}")];
    let matches = rapidoku_cli::command().try_get_matches_from(arguments).map_err(|error| error.to_string())?;
    Ok(matches.subcommand().unwrap().1.get_one::<T>(&name.replace('-', "_")).unwrap().clone())
}

#[test]
fn numbers_may_have_underscores_exponents_and_units() {
    for text in ["0=0", "17=17", "1_000_000=1000000", "1e9=1000000000", "25E3=25000", "2k=2000", "1G=1000000000"] {
        let (text, number) = text.split_once('=').unwrap();
        assert_eq!(parse("solve --skip", text), Ok(number.parse::<u64>().unwrap()), "{text}");
    }
    for text in ["", "e9", "1.5", "-1", "1e", "K", "1KK", "1e30", "99999999999999999999", "0x10", "+1"] {
        assert!(parse::<u64>("solve --skip", text).is_err(), "{text}");
    }
    assert!(parse::<u64>("solve --take", "0").is_err());
}

#[test]
fn techniques_have_names_with_hyphens_or_spaces() {
    type Hardest = Option<RangeInclusive<Technique>>;
    let techniques = |text: &str| parse::<Hardest>("generate --hardest", text);
    let generate = rapidoku_cli::command().find_subcommand("generate").unwrap().clone();
    let option = generate.get_arguments().find(|option| option.get_id() == "hardest").unwrap();
    for (technique, name) in Technique::ALL.into_iter().zip(option.get_possible_values()) {
        for text in [technique.name(), name.get_name()] {
            assert_eq!(techniques(text), Ok(Some(technique..=technique)), "{text}");
        }
    }
    let [first, .., last] = Technique::ALL;
    assert_eq!(techniques(".."), Ok(Some(first..=last)));
    assert!(techniques("magic").unwrap_err().contains("naked-pair, X-wing, hidden-pair"));
    assert!(techniques("nishio..swordfish").unwrap_err().contains("greater than"));
}

#[test]
fn ranges_include_their_ends() {
    let range = |text: &str| parse::<RangeInclusive<u64>>("generate --clues", text);
    assert_eq!(["22..24", "22-24"].map(range), [Ok(22..=24), Ok(22..=24)]);
    let open = ["22..", "..24", "24"].map(range);
    assert_eq!(open, [Ok(22..=u64::MAX), Ok(0..=24), Ok(24..=24)]);
    for text in ["", "a", "24..22", "1...2"] {
        assert!(range(text).is_err(), "{text}");
    }
    let er = |text: &str| parse::<RangeInclusive<Difficulty>>("check --er", text);
    assert_eq!(er("7.1-8"), Ok(Difficulty(71)..=Difficulty(80)));
    // Each rating is in one level.
    let levels = ["easy", "medium", "hard", "expert", "fiendish"].map(|level| er(level).unwrap());
    assert!(levels.windows(2).all(|pair| pair[0].end().0 + 1 == pair[1].start().0));
    assert_eq!((levels[0].start().0, levels[4].end().0), (0, u16::MAX));
    assert_eq!(parse("rate --max-er", "medium"), Ok(Difficulty(25)));
    for text in ["", "4.05", "5..4", "x", "4.", ".5"] {
        assert!(er(text).is_err(), "{text}");
    }
}

#[test]
fn sizes_have_units() {
    for (text, bytes) in [("1M", 1 << 20), ("3g", 3 << 30), ("2GiB", 2 << 30), ("4MB", 4 << 20), ("1048576", 1 << 20)] {
        assert_eq!(parse::<u64>("shuffle --memory", text), Ok(bytes), "{text}");
    }
    for text in ["", "G", "1X", "-1M", "1.5G", "99999999999T", "1K"] {
        assert!(parse::<u64>("shuffle --memory", text).is_err(), "{text}");
    }
}
