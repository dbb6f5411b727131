import Foundation
import PhotoLibrary

/// Which photos of the library are meant; what is left out is not asked about, so an empty filter means all.
public struct PhotoFilter: Sendable, Codable, Equatable {
    /// Photos at these paths, and all in folders at them. A path at which there is nothing is an error.
    public var paths: [String] = []
    /// Dated at this time or later. A photo's date is what clocks showed where it was taken or, unknown, when its file was
    /// last changed, in UTC. Give the time of a clock as if it were in UTC: `2024-01-01T00:00:00Z` is midnight in Tokyo
    /// for a photo of Tokyo, and in Berlin for one of Berlin.
    public var from: Date?
    /// Dated before this time of the same clocks.
    public var before: Date?
    /// Of one of these kinds.
    public var kinds: [PhotoKind] = []
    /// A part of the file's name or, with `*` for anything and `?` for one character, all of it; regardless of case.
    public var name: String?
    /// At least so many bytes.
    public var smallest: Int64?
    /// At most so many bytes.
    public var largest: Int64?

    /// All photos.
    public init() {}

    /// What the library takes.
    func checked() throws(PhotolalaError) -> PhotoSelection {
        var selection = PhotoSelection()
        selection.paths = paths
        selection.from = from.map { Timestamp($0) }
        selection.before = before.map { Timestamp($0) }
        selection.kinds = kinds.map(\.kind)
        selection.name = name.map { NamePattern($0) }
        let (smallest, largest) = (max(0, smallest ?? 0), largest ?? .max)
        guard smallest <= largest else {
            throw PhotolalaError(code: .invalidRequest, detail: "No photo is both as large and as small as that.")
        }
        selection.sizes = smallest...largest
        return selection
    }
}

/// A kind of file in the library.
public struct PhotoKind: Sendable, Hashable, LosslessStringConvertible {
    let kind: MediaKind

    /// What is neither video nor sidecar.
    public static let photo = PhotoKind(kind: .photo)
    /// Videos, those of Live Photos too.
    public static let video = PhotoKind(kind: .video)
    /// What a camera's sensor saw, before it was developed.
    public static let raw = PhotoKind(kind: .raw)
    /// Text beside a photo: `.xmp`, `.aae`, Google Takeout's `.json`.
    public static let sidecar = PhotoKind(kind: .sidecar)

    private init(kind: MediaKind) { self.kind = kind }

    /// `photo`, `video`, `raw`, `sidecar`, a media type like `image/jpeg`, or an ending like `jpg`; `nil` for other texts.
    public init?(_ text: String) {
        guard let kind = MediaKind(text) else { return nil }
        self.kind = kind
    }

    /// The same text; a media type for an ending.
    public var description: String { kind.description }
}

extension PhotoKind: Codable {
    /// - Throws: `DecodingError.dataCorrupted` for a text that names no kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let kind = PhotoKind(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no kind of photo")
        }
        self = kind
    }

    /// Encodes the kind as the text that `--type` takes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(kind.description)
    }
}

extension Timestamp {
    /// The nearest moment that a library can tell.
    fileprivate init(_ date: Date) {
        let whole = date.timeIntervalSince1970.rounded(.down)
        let nanoseconds = ((date.timeIntervalSince1970 - whole) * 1e9).rounded()
        // Far outside of what can be told is told as its end.
        self.init(
            seconds: Int64(min(max(whole, -1e15), 1e15)), nanoseconds: nanoseconds.isFinite ? Int64(nanoseconds) : 0)
    }
}
