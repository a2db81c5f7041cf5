//! Text in HTML and SVG.

/// Escapes text for the content and the attributes of HTML elements. Control characters appear as in messages.
pub fn escape(text: &str) -> String {
    let text = rapidoku::file::internal::escape(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
