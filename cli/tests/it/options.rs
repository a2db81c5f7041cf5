//! The definitions of the options.

/// Shells divide a list of words at spaces.
#[test]
fn values_can_be_completed() {
    let mut program = rapidoku_cli::command();
    program.build();
    for command in program.get_subcommands() {
        for arg in command.get_arguments() {
            for value in arg.get_possible_values() {
                let (name, option) = (value.get_name(), arg.get_id());
                assert!(!name.contains(' '), "{} --{option} '{name}'", command.get_name());
            }
        }
    }
}
