//! Compression of outputs, chosen by the extension of the file name.
//!
//! Compression takes several times as long as solving, so it uses all threads. The compressed bytes depend neither on the
//! number of threads nor on the batches.

use std::ffi::OsStr;
use std::io::{self, IoSlice, Write};
use std::path::Path;

#[cfg(feature = "gzip")]
use super::gzip::Gzip;
use super::sink::Sink;

/// The maximal number of zstd threads; each takes some megabytes.
#[cfg(feature = "zstd")]
const MAX_ZSTD_THREADS: usize = 64;

/// Writes bytes to a file, compressed or not.
pub(super) enum Encoder {
    Plain(Box<dyn Sink>),
    #[cfg(feature = "gzip")]
    Gzip(Gzip<Box<dyn Sink>>),
    #[cfg(feature = "zstd")]
    Zstd(zstd::Encoder<'static, Box<dyn Sink>>),
}

impl Encoder {
    /// The encoder for a file of this name.
    pub fn for_name(path: &Path, file: impl Sink + 'static) -> io::Result<Encoder> {
        let file: Box<dyn Sink> = Box::new(file);
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
        match &*extension {
            #[cfg(feature = "gzip")]
            "gz" => Ok(Encoder::Gzip(Gzip::new(file))),
            #[cfg(feature = "zstd")]
            "zst" => {
                let mut encoder = zstd::Encoder::new(file, 1)?;
                encoder.include_checksum(true)?;
                Ok(Encoder::Zstd(encoder))
            }
            #[cfg(not(feature = "gzip"))]
            "gz" => Err(unsupported("gzip")),
            #[cfg(not(feature = "zstd"))]
            "zst" => Err(unsupported("zstd")),
            _ => Ok(Encoder::Plain(file)),
        }
    }

    /// Sets the number of threads that compress. Must be called before the first byte is written.
    pub fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        match self {
            Encoder::Plain(_) => {}
            #[cfg(feature = "gzip")]
            Encoder::Gzip(gzip) => gzip.threads = threads,
            #[cfg(feature = "zstd")]
            Encoder::Zstd(encoder) => encoder.multithread(threads.min(MAX_ZSTD_THREADS) as u32)?,
        }
        let _ = threads;
        Ok(())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Encoder::Plain(file) => file.write_all(bytes),
            #[cfg(feature = "gzip")]
            Encoder::Gzip(gzip) => gzip.write_all(bytes),
            #[cfg(feature = "zstd")]
            Encoder::Zstd(encoder) => encoder.write_all(bytes),
        }
    }

    /// Writes `first` and then `second`, with a single system call if the system accepts both.
    pub fn write_both(&mut self, mut first: &[u8], mut second: &[u8]) -> io::Result<()> {
        if let Encoder::Plain(file) = self
            && !first.is_empty()
        {
            let n = match file.write_vectored(&[IoSlice::new(first), IoSlice::new(second)]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
                written => written?,
            };
            second = &second[n.saturating_sub(first.len())..];
            first = &first[n.min(first.len())..];
        }
        self.write_all(first)?;
        self.write_all(second)
    }

    /// Replaces the first bytes of a file that is not compressed.
    pub fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Encoder::Plain(file) => file.rewrite_start(bytes),
            #[cfg(any(feature = "gzip", feature = "zstd"))]
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Writes everything that is buffered, flushes, and closes the file, after it has been synchronised if `sync` is set.
    pub fn finish(self, sync: bool) -> io::Result<()> {
        #[allow(
            clippy::infallible_destructuring_match,
            reason = "there is one variant without compression features"
        )]
        let mut file = match self {
            Encoder::Plain(file) => file,
            #[cfg(feature = "gzip")]
            Encoder::Gzip(gzip) => gzip.finish()?,
            #[cfg(feature = "zstd")]
            Encoder::Zstd(encoder) => encoder.finish()?,
        };
        file.flush()?;
        file.close(sync)
    }
}

#[cfg(not(all(feature = "gzip", feature = "zstd")))]
fn unsupported(format: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("compiled without support for {format}"))
}
