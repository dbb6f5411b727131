/// A category of files as users name it: `photo`, `video`, `sidecar`, `raw`, an extension such as `jpg`, or a media
/// type.
package enum MediaKind: Hashable, Sendable {
    /// Any type that is neither video nor sidecar.
    case photo
    case video
    case sidecar
    case raw
    case type(MediaType)

    /// Returns `nil` if the text is neither a known category or extension nor a media type.
    package init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        switch text {
        case "photo", "photos": self = .photo
        case "video", "videos": self = .video
        case "sidecar", "sidecars": self = .sidecar
        case "raw": self = .raw
        default:
            guard let type = MediaType(text) ?? Self.fileExtensions[text] else { return nil }
            self = .type(type)
        }
    }

    /// The name of the category.
    package var description: String {
        switch self {
        case .photo: "photo"
        case .video: "video"
        case .sidecar: "sidecar"
        case .raw: "raw"
        case .type(let type): type.description
        }
    }

    func includes(_ type: MediaType) -> Bool {
        switch self {
        case .photo: !type.isVideo && !type.isSidecar
        case .video: type.isVideo
        case .sidecar: type.isSidecar
        case .raw: type.isRAW
        case .type(let wanted): type == wanted
        }
    }

    private static let fileExtensions: [String: MediaType] = {
        let sidecars: [String: MediaType] = ["xmp": .xmp, "aae": .appleEdits, "json": .takeoutDescription]
        let usual = FileExtensions.usual.map { ($0.ending, $0.type) }
        return sidecars.merging(FileExtensions.others) { known, _ in known }.merging(usual) { known, _ in known }
    }()
}
