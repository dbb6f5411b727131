import PhotoCatalog
import UseCases

/// The addresses of the pages of a shared link.
struct SharedPaths: PhotoGridPaths {
    /// The path of the link, with its token.
    let base: String

    init(token: String) { base = "/\(SharedPages.area)/\(token)" }

    var blocks: String { "\(base)/blocks" }
    var links: String { "\(base)/links" }

    func path(of photo: ContentDigest) -> String { "\(base)/photo?id=\(photo)" }

    func path(from block: Int) -> String { "\(base)?from=\(block)" }

    /// Returns the address of the page that shows a photo in its place.
    func path(from block: Int, near photo: ContentDigest) -> String { "\(base)?from=\(block)&near=\(photo)" }

    /// Returns the address of an original.
    func file(_ photo: ContentDigest, isDownload: Bool = false) -> String {
        "\(base)/file?id=\(photo)\(isDownload ? "&download=1" : "")"
    }
}
