import CEmbeddedFiles

/// The WebAssembly module that decodes HEIC photos in browsers: libheif and libde265, which `scripts/build-heif` builds.
package enum HEIFModule {
    /// Compressed with gzip.
    package static var compressed: UnsafeBufferPointer<UInt8> {
        let file = photolala_heif_decoder()
        return UnsafeBufferPointer(start: file.bytes, count: file.size)
    }
}
