import Foundation

/// Photos that the app itself has: from its camera, a share extension, or another service.
///
/// ```swift
/// let photo = PhotoResource(id: "photo", kind: .photo, name: "IMG_1.JPG", modified: taken)
/// let source = StreamSource(
///     id: "camera", assets: [PhotoAsset(id: "1", created: taken, resources: [photo])]
/// ) { resource, asset in
///     AsyncThrowingStream { $0.yield(jpeg); $0.finish() }
/// }
/// let report = try await library.backUp(source).report
/// ```
public struct StreamSource: PhotoSource {
    /// Returns the bytes of a resource.
    public typealias Reader =
        @Sendable (_ resource: PhotoResource, _ asset: PhotoAsset) -> any AsyncSequence<Data, any Error> & Sendable

    /// Identifies the source on this device.
    public let id: String
    private let all: [PhotoAsset.ID: PhotoAsset]
    private let order: [PhotoAsset.ID]
    private let read: Reader

    /// - Parameters:
    ///   - id: Identifies the source on this device.
    ///   - assets: The assets. Of several with the same ID, the last one is used.
    ///   - read: Returns the bytes of a resource. It can be called twice for one backup.
    public init(id: String, assets: [PhotoAsset], read: @escaping Reader) {
        (self.id, self.read) = (id, read)
        all = Dictionary(assets.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        order = all.keys.sorted()
    }

    /// Returns all assets, in one batch.
    public func assets() -> any AsyncSequence<[PhotoAsset], any Error> & Sendable {
        let batch = order.compactMap { all[$0] }
        return AsyncThrowingStream {
            $0.yield(batch)
            $0.finish()
        }
    }

    /// Returns assets by their IDs.
    public func assets(withIDs ids: [PhotoAsset.ID]) async throws(PhotoSourceError) -> [PhotoAsset] {
        ids.compactMap { all[$0] }
    }

    /// Returns the bytes that the reader returns.
    public func data(
        of resource: PhotoResource.ID, in asset: PhotoAsset.ID, isDownloadAllowed: Bool,
        onDownload: @escaping @Sendable (Double) -> Void
    ) -> any AsyncSequence<Data, any Error> & Sendable {
        guard let asset = all[asset], let resource = asset.resources.first(where: { $0.id == resource }) else {
            return AsyncThrowingStream { $0.finish(throwing: PhotoSourceError.missing) }
        }
        return read(resource, asset)
    }
}
