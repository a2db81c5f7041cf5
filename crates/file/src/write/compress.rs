//! Compression of outputs, chosen by the extension of the file name.
//!
//! Compression takes several times as long as solving, so it uses all threads. The compressed bytes depend neither on
//! the number of threads nor on the batches.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

#[cfg(feature = "gzip")]
use super::gzip::Gzip;
use super::sink::Sink;

/// The maximal number of zstd threads; each takes some megabytes.
#[cfg(feature = "zstd")]
const MAX_ZSTD_THREADS: usize = 64;

/// Writes bytes to a file of this name, compressed or not. Returns whether they are compressed.
pub(super) fn encoder(path: &Path, file: Box<dyn Sink>) -> io::Result<(Box<dyn Sink>, bool)> {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    match &*extension {
        #[cfg(feature = "gzip")]
        "gz" => Ok((Box::new(Gzip::new(file)), true)),
        #[cfg(feature = "zstd")]
        "zst" => {
            let mut encoder = zstd::Encoder::new(file, 1)?;
            encoder.include_checksum(true)?;
            Ok((Box::new(encoder), true))
        }
        #[allow(unreachable_patterns, reason = "with all features")]
        "gz" | "zst" => {
            let format = if extension == "gz" { "gzip" } else { "zstd" };
            Err(io::Error::new(io::ErrorKind::Unsupported, format!("compiled without support for {format}")))
        }
        _ => Ok((file, false)),
    }
}

#[cfg(feature = "zstd")]
impl Sink for zstd::Encoder<'static, Box<dyn Sink>> {
    fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        self.multithread(threads.min(MAX_ZSTD_THREADS) as u32)
    }

    fn close(self: Box<Self>, sync: bool) -> io::Result<()> {
        self.finish()?.close(sync)
    }
}
