mod api;
mod arrays;
mod check;
mod levels;
mod packed;
mod text;

pub use api::api;
pub use arrays::arrays;
pub use check::check;
pub use levels::levels;
pub use packed::packed;
pub use text::text;
