use super::Session;
pub fn write(_: &Session) -> String {
    String::new()
}
