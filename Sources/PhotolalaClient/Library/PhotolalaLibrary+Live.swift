import AWSServices
import Foundation
import ObjectStorage
import PhotoSync
import PhotolalaAPI
import S3Protocol
import Secrets
import VipsThumbnails

extension PhotolalaLibrary {
    /// Creates the library of the session's account. Photos without a time zone use the device's, unless that is UTC.
    /// - Parameters:
    ///   - cache: Keeps thumbnails, previews and originals that are shown. Without one, each is downloaded again.
    ///   - thumbnailMaker: Makes thumbnails and previews. By default `photolala-thumbnailer` does, if it is
    ///     installed, and on Apple's systems otherwise `AppleThumbnailMaker`.
    public init(
        session: PhotolalaSession, profile: ProfileDirectory, network: PhotolalaNetwork, cache: PhotoCache? = nil,
        thumbnailMaker: (any ThumbnailMaker)? = nil
    ) {
        let (pressure, stateFolder) = (StorePressure(), profile.libraryStateFolder)
        let upload = PresignedUpload(transport: network.transport)
        self.init(
            session: session, stateFolder: stateFolder,
            thumbnails: thumbnailMaker.map(CheckedMaker.init) ?? Self.defaultMaker(),
            cache: cache,
            pressure: pressure, zone: CaptureZone(ofDevice: .current), now: { Date() },
            sendReserved: { body, reserved throws(ObjectStoreError) in
                guard (try? session.server.checkedPhotoStore(at: reserved.url)) != nil else {
                    throw .denied("The server returned an invalid URL.")
                }
                return try await upload.send(
                    body, to: reserved.url, headers: reserved.headers,
                    timeout: .seconds(UploadRequest.maximumDuration(of: body.size)))
            }
        ) { session, use async throws(PhotolalaError) in
            try await session.openPhotoStore(
                for: use, network: network, stateFolder: stateFolder, pressure: pressure, now: { Date() }
            )
        }
        parallelFiles = network.maximumParallelFiles
    }

    /// Returns the installed tool, otherwise what the system has.
    private static func defaultMaker() -> (any PictureMaker)? {
        #if os(Linux) || os(macOS)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let program = Bundle.main.executableURL?.resolvingSymlinksInPath().path
            if let worker = VipsThumbnailMaker.findWorker(beside: program, in: path) {
                return VipsThumbnailMaker(
                    worker: worker, ffmpeg: VipsThumbnailMaker.findFFmpeg(in: path),
                    processes: ProcessInfo.processInfo.activeProcessorCount
                ) { try await Task.sleep(for: $0) }
            }
        #endif
        #if canImport(ImageIO) && canImport(AVFoundation)
            return CheckedMaker(AppleThumbnailMaker())
        #else
            return nil
        #endif
    }
}

extension PhotolalaSession {
    /// The age, in seconds, after which an unfinished multipart upload is aborted. Stores remove such uploads after one
    /// week.
    private static let unfinishedUploadAge = 6.0 * 86_400

    /// Opens the photo store with credentials that this session renews automatically.
    func openPhotoStore(
        for use: StoreUse, network: PhotolalaNetwork, stateFolder: String, pressure: StorePressure,
        now: @escaping @Sendable () -> Date
    ) async throws(PhotolalaError) -> any ObjectStore {
        let first = try await credentials()
        guard use != .backingUp || first.access != .read else {
            throw PhotolalaError(
                code: .storageReadOnly, detail: "The account is being deleted. Nothing was uploaded or changed.")
        }
        _ = try server.checkedPhotoStore(first.endpoint)
        guard var settings = S3Settings(endpoint: first.endpoint, region: first.region, bucket: first.bucket) else {
            throw PhotolalaError(
                code: .photoStoreFailed,
                detail: "The server returned an invalid photo store endpoint: \(first.endpoint)."
            )
        }
        settings.followsServiceClock = true
        let keys = RenewingCredentials(
            initial: ExpiringCredentials(first), now: now
        ) { [self] () async throws(CredentialError) in
            do throws(PhotolalaError) {
                return ExpiringCredentials(try await self.credentials())
            } catch {
                throw error.isTransient ? CredentialError.unavailable(error.detail) : .refused(error.detail)
            }
        }
        let pause = Backoff(randomness: .system) { try? await Task.sleep(for: $0) }
        let storeID = ([first.endpoint, first.bucket] + first.prefixes).joined(separator: "\n")
        let uploads = UnfinishedUploadStore(stateFolder: stateFolder, store: storeID)
        let store = S3ObjectStore(
            settings: settings, credentials: keys, transport: network.transport, pause: pause, now: now,
            unfinished: uploads, onSlowDown: pressure.recordThrottling
        )
        guard use == .backingUp else { return store }
        for (key, upload) in await uploads.stale(since: now().addingTimeInterval(-Self.unfinishedUploadAge)) {
            // If the abort is not permitted or not possible now, the store removes the upload later.
            try? await store.abort(upload, to: key)
            await uploads.remove(key)
        }
        return store
    }
}

extension ExpiringCredentials {
    fileprivate init(_ credentials: StorageCredentials) {
        self.init(
            AWSCredentials(
                accessKeyID: credentials.accessKeyID, secretAccessKey: credentials.secretAccessKey,
                sessionToken: credentials.sessionToken
            ),
            expiresAt: credentials.expiration
        )
    }
}

extension PhotolalaError {
    /// Whether the error is transient, so that a retry may succeed.
    var isTransient: Bool {
        [.serverUnreachable, .noResponse, .outcomeUnknown, .temporarilyUnavailable, .rateLimited].contains(code)
    }
}
