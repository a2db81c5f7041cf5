//! Compression of outputs, chosen by the extension of the file name.
//!
//! The compressed bytes depend neither on the number of threads nor on the batches. zstd uses all threads.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

#[cfg(feature = "gzip")]
use flate2::{Compression, write::GzEncoder};

use super::sink::Sink;

/// The lowest level of gzip with dynamic Huffman codes: two thirds of the size of level 1 at one and a half times its
/// time.
#[cfg(feature = "gzip")]
const GZIP_LEVEL: u32 = 2;

/// The maximal number of zstd threads; each takes some megabytes.
#[cfg(feature = "zstd")]
const MAX_ZSTD_THREADS: usize = 64;

/// Writes bytes to a file of this name, compressed or not. Returns whether they are compressed.
pub(super) fn encoder(path: &Path, file: Box<dyn Sink>) -> io::Result<(Box<dyn Sink>, bool)> {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    match &*extension {
        #[cfg(feature = "gzip")]
        "gz" => Ok((Box::new(GzEncoder::new(file, Compression::new(GZIP_LEVEL))), true)),
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

#[cfg(feature = "gzip")]
impl Sink for GzEncoder<Box<dyn Sink>> {
    fn close(self: Box<Self>, sync: bool) -> io::Result<()> {
        self.finish()?.close(sync)
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
