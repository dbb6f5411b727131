import Foundation
import NIOCore
import PhotoCatalog
import PhotoSync

/// The assets of a `PhotoSource`, as a backup reads them.
package struct SourceAssets: AssetSource {
    private let source: any PhotoSource

    package init(_ source: any PhotoSource) { self.source = source }

    package var id: String { source.id }

    package func assets() -> any AsyncSequence<[SourceAsset], any Error> & Sendable {
        ConvertedSequence(source.assets()) { $0.map { SourceAsset($0) } }
    }

    package func assets(withIDs ids: [String]) async throws(SourceError) -> [SourceAsset] {
        do { return try await source.assets(withIDs: ids).map { SourceAsset($0) } } catch { throw SourceError(error) }
    }

    package func changeToken() async throws(SourceError) -> [UInt8]? {
        do { return try await source.changeToken().map { Array($0) } } catch { throw SourceError(error) }
    }

    package func changes(since token: [UInt8]) async throws(SourceError) -> SourceChanges? {
        do {
            return try await source.changes(since: Data(token)).map {
                SourceChanges(changed: $0.changed, removed: $0.removed)
            }
        } catch { throw SourceError(error) }
    }

    package func bytes(
        of resource: String, in asset: String, isDownloadAllowed: Bool, onDownload: @escaping @Sendable (Double) -> Void
    ) -> any AsyncSequence<ByteBuffer, any Error> & Sendable {
        let data = source.data(
            of: resource, in: asset, isDownloadAllowed: isDownloadAllowed, onDownload: onDownload)
        return ConvertedSequence(data) { ByteBuffer(bytes: $0) }
    }

    package func thumbnail(of resource: String, in asset: String, maximumPixels: Int) async -> ByteBuffer? {
        await source.thumbnail(of: resource, in: asset, maximumPixels: maximumPixels).map { ByteBuffer(bytes: $0) }
    }
}

extension SourceAsset {
    init(_ asset: PhotoAsset) {
        self.init(
            id: asset.id, stableID: asset.cloudID ?? asset.id, created: asset.created.map { Timestamp($0) },
            location: asset.location.flatMap { GeoLocation(latitude: $0.latitude, longitude: $0.longitude) },
            isFavorite: asset.isFavorite,
            resources: asset.resources.map { resource in
                SourceResource(
                    id: resource.id, name: resource.name, path: resource.path, isEdited: resource.kind.isEdited,
                    modified: Timestamp(resource.modified), size: resource.size)
            })
    }
}
