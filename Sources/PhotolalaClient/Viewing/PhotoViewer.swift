import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotoSync
import PhotolalaAPI
import Synchronization

/// The downloads for display that all copies of a library share.
final class PhotoViewer: Sendable {
    /// A photo of an account.
    struct PhotoKey: Hashable, Sendable {
        let user: UserID
        let md5: ContentDigest
    }

    /// An original and the file to which it is downloaded.
    private struct OriginalKey: Hashable {
        let photo: PhotoKey
        let path: String
    }

    private struct RangeKey: Hashable {
        let photo: PhotoKey
        let range: Range<Int64>
    }

    /// The photo store of an account, which one caller opens for all.
    private struct OpenStore: Sendable {
        let user: UserID
        let opening: Task<Result<any ObjectStore, PhotolalaError>, Never>
    }

    private let session: PhotolalaSession
    private let cache: PhotoCache?
    private let openStore: @Sendable (PhotolalaSession, StoreUse) async throws(PhotolalaError) -> any ObjectStore
    private let pause: Backoff
    private let store = Mutex<OpenStore?>(nil)

    let thumbnails = LoadQueue<PhotoKey, Data?, PhotolalaError>(limit: 6, cancelled: .cancelled)
    private let previews = LoadQueue<PhotoKey, Data?, PhotolalaError>(limit: 4, cancelled: .cancelled)
    private let originals = LoadQueue<OriginalKey, CachedFile?, PhotolalaError>(limit: 2, cancelled: .cancelled)
    private let ranges = LoadQueue<RangeKey, Data, PhotolalaError>(limit: 4, cancelled: .cancelled)

    init(
        session: PhotolalaSession, cache: PhotoCache?, pause: Backoff,
        openStore: @escaping @Sendable (PhotolalaSession, StoreUse) async throws(PhotolalaError) -> any ObjectStore
    ) {
        self.session = session
        self.cache = cache
        self.pause = pause
        self.openStore = openStore
    }

    func picture(
        _ kind: PictureKind, of photo: LibraryPhoto, _ priority: LoadPriority, offline: Bool = false
    ) async throws(PhotolalaError) -> Data? {
        let (user, md5) = (try await user(), try photo.entry().md5)
        // A cached picture does not wait for downloads.
        if let cached = await cache?.files.picture(kind, of: md5, user) { return Data(cached.readableBytesView) }
        if offline { throw .notCached(photo) }
        let queue = kind == .thumbnail ? thumbnails : previews
        return try await queue.value(for: PhotoKey(user: user, md5: md5), priority: priority) {
            [self] () async throws(PhotolalaError) in
            try await load(kind, of: md5, user)
        }
    }

    private func load(
        _ kind: PictureKind, of md5: ContentDigest, _ user: UserID
    ) async throws(PhotolalaError) -> Data? {
        // Another call may have stored it since this one looked.
        if let cached = await cache?.files.picture(kind, of: md5, user) { return Data(cached.readableBytesView) }
        let reader = try await reader(for: user)
        let bytes: ByteBuffer?
        do throws(RestoreFailure) { bytes = try await reader.picture(kind, of: md5) } catch {
            throw await reason(for: error, of: user, picture: kind)
        }
        try await checkSignedIn(user)
        guard let bytes else { return nil }
        await cache?.files.store(bytes, as: kind, of: md5, user)
        return Data(bytes.readableBytesView)
    }

    func original(
        of photo: LibraryPhoto, _ priority: LoadPriority, offline: Bool = false
    ) async throws(PhotolalaError) -> CachedOriginal {
        guard let files = cache?.files else { throw .withoutCache }
        let (user, entry) = (try await user(), try photo.entry())
        // A cached original needs no network.
        if let cached = await files.original(of: entry, user) { return CachedOriginal(cached) }
        if offline { throw .notCached(photo) }
        let key = OriginalKey(photo: PhotoKey(user: user, md5: entry.md5), path: files.originalPath(of: entry, user))
        let file = try await originals.value(for: key, priority: priority) { [self] () async throws(PhotolalaError) in
            let reader = try await reader(for: user)
            let file: CachedFile?
            do throws(RestoreFailure) { file = try await files.download(entry, with: reader) } catch {
                throw await reason(for: error, of: user)
            }
            do throws(PhotolalaError) { try await checkSignedIn(user) } catch {
                await files.removeOriginal(of: entry, user)
                throw error
            }
            return file
        }
        guard let file else { throw .cacheTooSmall(photo) }
        return CachedOriginal(file)
    }

    func download(_ photo: LibraryPhoto, to file: URL, _ priority: LoadPriority) async throws(PhotolalaError) {
        let (user, entry) = (try await user(), try photo.entry(named: file.lastPathComponent))
        let key = OriginalKey(photo: PhotoKey(user: user, md5: entry.md5), path: file.path)
        _ = try await originals.value(for: key, priority: priority) { [self] () async throws(PhotolalaError) in
            let reader = try await reader(for: user)
            let isNew: Bool
            do throws(RestoreFailure) {
                isNew = try await reader.download(entry, into: file.deletingLastPathComponent().path)
            } catch {
                throw await reason(for: error, of: user, writing: file)
            }
            do throws(PhotolalaError) { try await checkSignedIn(user) } catch {
                if isNew { try? FileManager.default.removeItem(at: file) }
                throw error
            }
            return nil
        }
    }

    func data(
        of photo: LibraryPhoto, _ range: Range<Int64>, _ priority: LoadPriority
    ) async throws(PhotolalaError) -> Data {
        let (user, entry) = (try await user(), try photo.entry())
        guard range.lowerBound >= 0, range.lowerBound <= entry.size,
            range.upperBound - range.lowerBound <= PhotolalaLibrary.maximumRangeLength
        else {
            throw PhotolalaError(
                code: .invalidRequest, detail: "The range is too long, or starts beyond the end of \(photo.path).")
        }
        let wanted = range.clamped(to: 0..<entry.size)
        guard !wanted.isEmpty else { return Data() }
        if let cached = await cache?.files.data(of: entry, wanted, user) { return Data(cached.readableBytesView) }
        let key = RangeKey(photo: PhotoKey(user: user, md5: entry.md5), range: wanted)
        return try await ranges.value(for: key, priority: priority) { [self] () async throws(PhotolalaError) in
            let reader = try await reader(for: user)
            let bytes: ByteBuffer
            do throws(RestoreFailure) { bytes = try await reader.data(of: entry, wanted) } catch {
                throw await reason(for: error, of: user)
            }
            try await checkSignedIn(user)
            return Data(bytes.readableBytesView)
        }
    }

    var hasCache: Bool { cache != nil }

    private func user() async throws(PhotolalaError) -> UserID {
        guard let user = try await session.signedInUserID() else { throw .notSignedIn }
        return user
    }

    /// - Throws: `notSignedIn` if the account has been signed out since a download began.
    private func checkSignedIn(_ user: UserID) async throws(PhotolalaError) {
        guard try await session.signedInUserID() == user else { throw .notSignedIn }
    }

    private func reader(for user: UserID) async throws(PhotolalaError) -> PhotoReader {
        let open = store.withLock { store in
            if let store, store.user == user { return store }
            let new = OpenStore(
                user: user,
                opening: Task { [session = session.limited(to: user), openStore] in
                    do throws(PhotolalaError) { return .success(try await openStore(session, .reading)) } catch {
                        return .failure(error)
                    }
                })
            store = new
            return new
        }
        switch await open.opening.value {
        case .success(let store): return PhotoReader(store: store, user: user, pause: pause)
        case .failure(let error):
            closeStore()
            throw error
        }
    }

    private func closeStore() { store.withLock { $0 = nil } }

    /// Returns the error for a failure. A denied request may mean an ended session, so the server is asked.
    private func reason(
        for failure: RestoreFailure, of user: UserID, picture: PictureKind? = nil, writing file: URL? = nil
    ) async -> PhotolalaError {
        if case .store(.denied) = failure {
            closeStore()
            do throws(PhotolalaError) { _ = try await session.limited(to: user).credentials() } catch { return error }
        }
        if let picture { return PhotolalaError(viewing: failure, picture) }
        return PhotolalaError(viewing: failure, file: file)
    }
}
