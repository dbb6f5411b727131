import Foundation
import PhotolalaClient
import Synchronization

/// A photo library in memory that records its changes and the resources that were read.
package final class FakePhotoSource: PhotoSource {
    private struct State {
        var assets: [String: PhotoAsset] = [:]
        var bytes: [String: [UInt8]] = [:]
        /// The number of the last change of each asset.
        var changes: [String: Int] = [:]
        /// The number of the last removal of each asset.
        var removals: [String: Int] = [:]
        var hidden: Set<String> = []
        var thumbnails: [String: [UInt8]] = [:]
        var onThumbnail: @Sendable (String) -> Void = { _ in }
        var isLimited = false
        var counter = 0
        /// Older changes are not known.
        var oldest = 0
        var failures: [String: PhotoSourceError] = [:]
        var reads: [String] = []
        var requests: [String] = []
        var onChunk: @Sendable (String, Int) -> Void = { _, _ in }
    }

    package let id: String
    private let state = Mutex(State())
    private static let chunkLength = 1000

    package init(id: String = "fake") { self.id = id }

    /// Adds or replaces an asset with the bytes of its resources.
    package func put(_ asset: PhotoAsset, _ bytes: [String: [UInt8]]) {
        state.withLock { state in
            state.counter += 1
            state.assets[asset.id] = asset
            state.changes[asset.id] = state.counter
            for (resource, bytes) in bytes { state.bytes["\(asset.id)/\(resource)"] = bytes }
        }
    }

    package func remove(_ asset: String) {
        state.withLock { state in
            state.counter += 1
            state.assets[asset] = nil
            state.changes[asset] = state.counter
            state.removals[asset] = state.counter
        }
    }

    /// Hides an asset, as a library does with a change that is no removal; or shows it again.
    package func hide(_ asset: String, _ isHidden: Bool = true) {
        state.withLock { state in
            state.counter += 1
            state.changes[asset] = state.counter
            if isHidden { state.hidden.insert(asset) } else { state.hidden.remove(asset) }
        }
    }

    /// Sets whether changes are unknown, as with access to selected photos only.
    package func setLimited(_ isLimited: Bool) { state.withLock { $0.isLimited = isLimited } }

    /// Makes the tokens so far unknown.
    package func forgetChanges() { state.withLock { $0.oldest = $0.counter + 1 } }

    /// Makes reads of an asset fail; `nil` lets them succeed again.
    package func fail(_ asset: String, with error: PhotoSourceError?) { state.withLock { $0.failures[asset] = error } }

    /// Sets a function that is called before each chunk with the resource, as `asset/resource`, and the chunk's number.
    package func setOnChunk(_ body: @escaping @Sendable (String, Int) -> Void) { state.withLock { $0.onChunk = body } }

    /// Sets the thumbnail of a resource, as `asset/resource`.
    package func setThumbnail(of resource: String, pixels: Int = 512, _ bytes: [UInt8]) {
        state.withLock { $0.thumbnails["\(resource) \(pixels)"] = bytes }
    }

    /// Sets a function that is called before a thumbnail is returned, with the resource.
    package func setOnThumbnail(_ body: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onThumbnail = body }
    }

    package func thumbnail(of resource: String, in asset: String, maximumPixels: Int) async -> Data? {
        let name = "\(asset)/\(resource)"
        let (found, onThumbnail) = state.withLock { ($0.thumbnails["\(name) \(maximumPixels)"], $0.onThumbnail) }
        onThumbnail(name)
        return found.map { Data($0) }
    }

    /// The resources that were read, as `asset/resource`.
    package var reads: [String] { state.withLock { $0.reads } }
    /// The listings of all assets (`all`), and the assets that were requested by ID.
    package var requests: [String] { state.withLock { $0.requests } }

    package func clearLog() { state.withLock { ($0.reads, $0.requests) = ([], []) } }

    package func assets() -> any AsyncSequence<[PhotoAsset], any Error> & Sendable {
        let all = state.withLock { state in
            state.requests.append("all")
            return state.assets.values.filter { !state.hidden.contains($0.id) }.sorted { $0.id < $1.id }
        }
        return AsyncThrowingStream {
            for asset in all { $0.yield([asset]) }
            $0.finish()
        }
    }

    package func assets(withIDs ids: [String]) async throws(PhotoSourceError) -> [PhotoAsset] {
        state.withLock { state in
            state.requests += ids
            return ids.compactMap { state.hidden.contains($0) ? nil : state.assets[$0] }
        }
    }

    package func changeToken() async throws(PhotoSourceError) -> Data? {
        state.withLock { $0.isLimited ? nil : Data("\($0.counter)".utf8) }
    }

    package func changes(since token: Data) async throws(PhotoSourceError) -> PhotoChanges? {
        guard let since = Int(String(decoding: token, as: UTF8.self)) else { return nil }
        return state.withLock { state in
            guard since >= state.oldest, !state.isLimited else { return nil }
            let newer = state.changes.filter { $0.value > since }.keys
            return PhotoChanges(
                changed: Set(newer.filter { state.assets[$0] != nil }),
                removed: Set(state.removals.filter { $0.value > since }.keys))
        }
    }

    package func data(
        of resource: String, in asset: String, isDownloadAllowed: Bool,
        onDownload: @escaping @Sendable (Double) -> Void
    ) -> any AsyncSequence<Data, any Error> & Sendable {
        let name = "\(asset)/\(resource)"
        state.withLock { $0.reads.append(name) }
        let position = Mutex(0)
        return AsyncThrowingStream(unfolding: { [self] in
            let start = position.withLock { $0 }
            state.withLock { $0.onChunk }(name, start / Self.chunkLength)
            return try state.withLock { state in
                if let failure = state.failures[asset] { throw failure }
                guard state.assets[asset]?.resources.contains(where: { $0.id == resource }) == true,
                    let bytes = state.bytes[name]
                else { throw PhotoSourceError.missing }
                let end = min(start + Self.chunkLength, bytes.count)
                guard start < end else { return nil }
                position.withLock { $0 = end }
                onDownload(Double(end) / Double(bytes.count))
                return Data(bytes[start..<end])
            }
        })
    }
}
