/// The WebAssembly module that decodes HEIC photos in browsers: libheif and libde265, which `scripts/build-heif` builds.
///
/// A module of its own, because a compiler takes long for the embedded file.
package enum HEIFModule {
    /// Compressed with gzip.
    package static var compressed: [UInt8] { PackageResources.heif_wasm_gz }
}
