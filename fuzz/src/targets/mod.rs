mod api;
mod check;
mod formats;
mod grids;
mod levels;
mod objects;
mod packed;
mod records;
mod tables;

pub use api::api;
pub use check::check;
pub use formats::formats;
pub use grids::grids;
pub use levels::levels;
pub use objects::objects;
pub use packed::packed;
pub use records::records;
pub use tables::tables;
