import ForeignExports
import NIOCore
import PhotoCatalog

/// The photos of an Immich account, as the source of a backup.
struct ImmichSource: AssetSource {
    private let library: any ImmichLibrary
    private let all: [SourceAsset]
    private let items: [String: ImmichPlan.Item]
    private let indices: [String: Int]
    private let availability: ImmichAvailability
    let id: String

    /// - Parameters:
    ///   - destination: The folder of the library.
    ///   - failuresInARow: The number of files in a row that cannot be read, after which no more are.
    ///   - isPrediction: Whether places in albums are left out: they add no content, and would be read from the server.
    init(
        _ library: any ImmichLibrary, account: String, _ plan: [ImmichPlan.Item], destination: LibraryPath,
        failuresInARow: Int, isPrediction: Bool
    ) {
        self.library = library
        availability = ImmichAvailability(plan.map(\.asset), limit: failuresInARow)
        id = Self.id(library, account: account, destination: destination)
        all = plan.map { Self.asset($0, isPrediction: isPrediction) }
        items = Dictionary(plan.map { ($0.asset.id, $0) }, uniquingKeysWith: { first, _ in first })
        indices = Dictionary(
            plan.enumerated().map { ($1.asset.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the identity of the photos of an account in a folder of the library.
    static func id(_ library: any ImmichLibrary, account: String, destination: LibraryPath) -> String {
        "immich \(library.address) \(account) \(destination)"
    }

    private static let (picture, video, sidecar) = ("picture", "video", "sidecar")

    private static func asset(_ item: ImmichPlan.Item, isPrediction: Bool) -> SourceAsset {
        var resources: [SourceResource] = []
        let places = [(item.path, item.videoPath)] + (isPrediction ? [] : item.alsoAt.map { ($0.path, $0.videoPath) })
        for (number, (path, videoPath)) in places.enumerated() {
            resources.append(resource(item.asset, kind: picture, number, path))
            if let video = item.video, let videoPath {
                resources.append(resource(video, kind: Self.video, number, videoPath))
            }
        }
        if let (text, path) = item.sidecar {
            let bytes = ByteBuffer(string: text)
            resources.append(
                SourceResource(
                    id: "\(sidecar) \(ContentDigest(of: bytes))", name: path.name, path: path.description,
                    isEdited: false, modified: item.asset.modified, size: Int64(bytes.readableBytes)))
        }
        return SourceAsset(
            id: item.asset.id, stableID: item.asset.id, created: item.asset.taken, location: item.asset.location,
            isFavorite: item.asset.isFavorite, isHidden: item.asset.visibility == .archive, resources: resources)
    }

    /// The checksum is part of the resource's id: other bytes are another resource, even of the same length and date.
    private static func resource(
        _ asset: ImmichAsset, kind: String, _ number: Int, _ path: LibraryPath
    ) -> SourceResource {
        let checksum = asset.sha1.map { ContentDigest(of: ByteBuffer(bytes: $0)).description } ?? "unknown"
        func id(_ number: Int) -> String { "\(kind) \(number) \(checksum)" }
        return SourceResource(
            id: id(number), name: path.name, path: path.description, isEdited: false, modified: asset.modified,
            size: asset.size, copyOf: number == 0 ? nil : id(0))
    }

    var unavailability: SourceError? { availability.reason.map { .server($0) } }

    func assets() -> any AsyncSequence<[SourceAsset], any Error> & Sendable {
        let all = all
        return AsyncThrowingStream { continuation in
            continuation.yield(all)
            continuation.finish()
        }
    }

    func assets(withIDs ids: [String]) async throws(SourceError) -> [SourceAsset] {
        ids.compactMap { indices[$0] }.map { all[$0] }
    }

    func changeToken() async throws(SourceError) -> [UInt8]? { nil }

    func changes(since token: [UInt8]) async throws(SourceError) -> SourceChanges? { nil }

    func bytes(
        of resource: String, in asset: String, isDownloadAllowed: Bool, onDownload: @escaping @Sendable (Double) -> Void
    ) -> any AsyncSequence<ByteBuffer, any Error> & Sendable {
        guard let item = items[asset] else { return AsyncThrowingStream { $0.finish(throwing: SourceError.missing) } }
        if resource.hasPrefix(Self.sidecar), let text = item.sidecar?.text {
            return AsyncThrowingStream { continuation in
                continuation.yield(ByteBuffer(string: text))
                continuation.finish()
            }
        }
        guard isDownloadAllowed else { return AsyncThrowingStream { $0.finish(throwing: SourceError.notDownloaded) } }
        let file = resource.hasPrefix(Self.video) ? item.video ?? item.asset : item.asset
        return ImmichBytes(library: library, asset: file, availability: availability)
    }

    func thumbnail(of resource: String, in asset: String, maximumPixels: Int) async -> ByteBuffer? { nil }
}

/// The bytes of a file in Immich, with the errors of a source.
private struct ImmichBytes: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let library: any ImmichLibrary
    let asset: ImmichAsset
    let availability: ImmichAvailability

    func makeAsyncIterator() -> Iterator { Iterator(bytes: self) }

    struct Iterator: AsyncIteratorProtocol {
        let bytes: ImmichBytes
        private var pieces: (any AsyncIteratorProtocol<ByteBuffer, any Error>)?

        init(bytes: ImmichBytes) { self.bytes = bytes }

        /// - Throws: `SourceError`
        mutating func next() async throws -> ByteBuffer? {
            let availability = bytes.availability
            if pieces == nil, let reason = availability.reason { throw SourceError.server(reason) }
            var current =
                pieces
                ?? bytes.library.original(of: bytes.asset, isRetried: !availability.isDoubtful).makeAsyncIterator()
            do {
                let piece = try await current.next(isolation: nil)
                pieces = current
                // A server that stops in the middle of each file has not answered.
                if piece == nil { availability.recordAnswer() }
                return piece
            } catch let error as ImmichError {
                await availability.record(error, of: bytes.asset, in: bytes.library)
                throw error == .cancelled ? SourceError.cancelled : SourceError.server(error)
            }
        }
    }
}
