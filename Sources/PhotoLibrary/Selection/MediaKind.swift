/// A kind of file as people name it: `photo`, `video`, `sidecar`, `raw`, an ending like `jpg`, or a media type.
package enum MediaKind: Hashable, Sendable {
    /// What is neither video nor sidecar.
    case photo
    case video
    case sidecar
    case raw
    case type(MediaType)

    /// Gives `nil` for what is no kind that is known and no media type.
    package init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        switch text {
        case "photo", "photos": self = .photo
        case "video", "videos": self = .video
        case "sidecar", "sidecars": self = .sidecar
        case "raw": self = .raw
        default:
            guard let type = MediaType(text) ?? Self.endings[text] else { return nil }
            self = .type(type)
        }
    }

    /// A text that names it.
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

    private static let endings: [String: MediaType] = {
        let kinds: [MediaType] = [
            .jpeg, .png, .gif, .webp, .heic, .heif, .avif, .jpegXL, .tiff, .canonCR2, .canonCR3, .nikonNEF, .sonyARW,
            .adobeDNG, .pentaxPEF, .samsungSRW, .fujiRAF, .olympusORF, .panasonicRW2, .sigmaX3F, .quickTime, .mp4,
            .mobile3GPP, .avi, .webm, .matroska, .mpegTransport, .mpegProgram,
        ]
        let others: [String: MediaType] = [
            "jpeg": .jpeg, "tif": .tiff, "m4v": .mp4, "m2ts": .mpegTransport, "mpeg": .mpegProgram, "xmp": .xmp,
            "aae": .appleEdits, "json": .takeoutDescription,
        ]
        return others.merging(kinds.map { ($0.fileEnding, $0) }) { known, _ in known }
    }()
}
