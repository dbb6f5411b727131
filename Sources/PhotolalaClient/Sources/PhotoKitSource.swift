#if canImport(Photos)
    import Foundation
    import Photos
    import Synchronization

    /// The system's photo library, with the photos that the user lets the app see.
    ///
    /// ```swift
    /// _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
    /// let source = PhotoKitSource()
    /// let report = try await library.backUp(source).report
    /// for await _ in source.changeNotices() { _ = try await library.backUp(source).report }
    /// ```
    ///
    /// Photos are streamed from the library to the store. Those that are only in iCloud are downloaded by the system
    /// while they are read; `TransferProgress.downloading` has their progress. With access to selected photos only,
    /// each backup lists all of them, because the system does not report changes of the selection.
    public struct PhotoKitSource: PhotoSource {
        private let includesHidden: Bool

        /// - Parameter includesHidden: Whether photos in the Hidden album are included.
        public init(includesHidden: Bool = false) { self.includesHidden = includesHidden }

        /// Identifies the photo library of the system.
        public var id: String { includesHidden ? "photokit with hidden" : "photokit" }

        /// The number of assets that are described together.
        private static let batch = 200

        var options: PHFetchOptions {
            let options = PHFetchOptions()
            options.includeHiddenAssets = includesHidden
            options.includeAllBurstAssets = true
            options.includeAssetSourceTypes = [.typeUserLibrary]
            return options
        }

        /// Returns whether the app can see the whole library.
        private func hasFullAccess() throws(PhotoSourceError) -> Bool {
            switch PHPhotoLibrary.authorizationStatus(for: .readWrite) {
            case .authorized: return true
            case .limited: return false
            default: throw .denied
            }
        }

        /// Returns all photos and videos that the app can see.
        public func assets() -> any AsyncSequence<[PhotoAsset], any Error> & Sendable {
            let ids = Mutex<[String]?>(nil)
            return AsyncThrowingStream(unfolding: {
                if ids.withLock({ $0 == nil }) {
                    _ = try hasFullAccess()
                    let all = allIdentifiers()
                    ids.withLock { $0 = all }
                }
                let next = ids.withLock { ids in
                    let next = Array((ids ?? []).prefix(Self.batch))
                    ids?.removeFirst(next.count)
                    return next
                }
                return next.isEmpty ? nil : try await assets(withIDs: next)
            })
        }

        private func allIdentifiers() -> [String] {
            let found = PHAsset.fetchAssets(with: options)
            var ids: [String] = []
            ids.reserveCapacity(found.count)
            found.enumerateObjects { asset, _, _ in ids.append(asset.localIdentifier) }
            return ids
        }

        /// Returns photos by their local identifiers.
        public func assets(withIDs ids: [PhotoAsset.ID]) async throws(PhotoSourceError) -> [PhotoAsset] {
            _ = try hasFullAccess()
            let clouds = PHPhotoLibrary.shared().cloudIdentifierMappings(forLocalIdentifiers: ids)
            var assets: [PhotoAsset] = []
            PHAsset.fetchAssets(withLocalIdentifiers: ids, options: options).enumerateObjects { asset, _, _ in
                let cloud = clouds[asset.localIdentifier].flatMap { try? $0.get() }
                assets.append(PhotoAsset(asset, cloudID: cloud?.stringValue))
            }
            return assets
        }

        /// Returns the current token; `nil` with access to selected photos only.
        public func changeToken() async throws(PhotoSourceError) -> Data? {
            guard try hasFullAccess() else { return nil }
            let token = PHPhotoLibrary.shared().currentChangeToken
            return try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        }

        /// Returns the changes that the system has recorded since a token.
        public func changes(since token: Data) async throws(PhotoSourceError) -> PhotoChanges? {
            guard try hasFullAccess(),
                let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: PHPersistentChangeToken.self, from: token)
            else { return nil }
            var changes = PhotoChanges()
            do {
                for change in try PHPhotoLibrary.shared().fetchPersistentChanges(since: token) {
                    let details = try change.changeDetails(for: .asset)
                    changes.changed.formUnion(details.insertedLocalIdentifiers)
                    changes.changed.formUnion(details.updatedLocalIdentifiers)
                    changes.removed.formUnion(details.deletedLocalIdentifiers)
                }
            } catch {
                // The token has expired, or the details are unavailable.
                return nil
            }
            return changes
        }

        /// Streams a resource; the system downloads it if it is only in iCloud.
        public func data(
            of resource: PhotoResource.ID, in asset: PhotoAsset.ID, isDownloadAllowed: Bool,
            onDownload: @escaping @Sendable (Double) -> Void
        ) -> any AsyncSequence<Data, any Error> & Sendable {
            PushedData { [self] receiver in
                guard let found = find(resource, in: asset) else {
                    receiver.finish(PhotoSourceError.missing)
                    return {}
                }
                let options = PHAssetResourceRequestOptions()
                options.isNetworkAccessAllowed = isDownloadAllowed
                options.progressHandler = { onDownload($0) }
                let request = PHAssetResourceManager.default().requestData(for: found, options: options) { data in
                    // The data is valid only during this call.
                    receiver.receive(data.withUnsafeBytes { Data($0) })
                } completionHandler: { error in
                    receiver.finish(error.map { PhotoSourceError(photoKit: $0) })
                }
                return { PHAssetResourceManager.default().cancelDataRequest(request) }
            }
        }

        private func find(_ resource: String, in asset: String) -> PHAssetResource? {
            guard let asset = PHAsset.fetchAssets(withLocalIdentifiers: [asset], options: options).firstObject else {
                return nil
            }
            let all = PHAssetResource.assetResources(for: asset)
            return zip(all, PhotoKitResources.ids(of: all.map { .init($0) })).first { $0.1 == resource }?.0
        }

        /// Returns a stream with an element after each change of the photo library.
        public func changeNotices() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let observer = PhotoLibraryObserver(continuation)
            PHPhotoLibrary.shared().register(observer)
            continuation.onTermination = { _ in PHPhotoLibrary.shared().unregisterChangeObserver(observer) }
            return stream
        }
    }

    private final class PhotoLibraryObserver: NSObject, PHPhotoLibraryChangeObserver, Sendable {
        private let continuation: AsyncStream<Void>.Continuation

        init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

        func photoLibraryDidChange(_ changeInstance: PHChange) { continuation.yield() }
    }

    extension PhotoKitResources.Reported {
        fileprivate init(_ resource: PHAssetResource) {
            self.init(type: resource.type.rawValue, name: resource.originalFilename)
        }
    }

    extension PhotoAsset {
        fileprivate init(_ asset: PHAsset, cloudID: String?) {
            let resources = PHAssetResource.assetResources(for: asset).map { PhotoKitResources.Reported($0) }
            self.init(
                id: asset.localIdentifier, created: asset.creationDate,
                resources: PhotoKitResources.resources(
                    resources, created: asset.creationDate, modified: asset.modificationDate))
            self.cloudID = cloudID
            modified = asset.modificationDate
            isFavorite = asset.isFavorite
            location = asset.location.map {
                PhotoLocation(latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude)
            }
        }
    }

    extension PhotoSourceError {
        fileprivate init(photoKit error: any Error) {
            switch (error as? PHPhotosError)?.code {
            case .networkAccessRequired, .networkError: self = .notDownloaded
            case .accessRestricted, .accessUserDenied: self = .denied
            case .identifierNotFound, .missingResource, .invalidResource: self = .missing
            case .userCancelled: self = .cancelled
            default:
                let error = error as NSError
                self = .platform(domain: error.domain, number: error.code, message: error.localizedDescription)
            }
        }
    }
#endif
