import AWSServices
import Foundation
import ObjectStorage
import PhotoLibrary
import PhotolalaAPI
import Secrets
import SigV4
import VipsThumbnails

extension PhotolalaLibrary {
    /// The library of the session's account.
    public init(session: PhotolalaSession, profile: ProfileDirectory, network: PhotolalaNetwork) {
        self.init(
            session: session, stateFolder: profile.libraryStateFolder, thumbnails: Self.installedMaker(),
            now: { Date() }
        ) { session async throws(PhotolalaError) in
            try await session.openPhotoStore(network: network, now: { Date() })
        }
    }

    /// The tool that makes thumbnails, where one is installed.
    private static func installedMaker() -> (any ThumbnailMaker)? {
        #if os(Linux) || os(macOS)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            return VipsThumbnailMaker.find(in: path).map { tool in
                VipsThumbnailMaker(tool: tool) { try await Task.sleep(for: $0) }
            }
        #else
            return nil
        #endif
    }
}

extension PhotolalaSession {
    /// The photo store with credentials that this session renews on the way.
    func openPhotoStore(
        network: PhotolalaNetwork, now: @escaping @Sendable () -> Date
    ) async throws(PhotolalaError) -> any ObjectStore {
        let first = try await credentials()
        // The endpoint sees photos: it must be as trustworthy as the server, which names it.
        _ = try ServerAddress(first.endpoint, allowsPlainHTTP: server.isPlainHTTP)
        guard let settings = S3Settings(endpoint: first.endpoint, region: first.region, bucket: first.bucket) else {
            throw PhotolalaError(
                code: .photoStoreFailed,
                detail: "The server names a photo store that cannot be used: \(first.endpoint)."
            )
        }
        let keys = RenewingCredentials(
            initial: ExpiringCredentials(first), now: now
        ) { [self] () async throws(CredentialError) in
            do throws(PhotolalaError) {
                return ExpiringCredentials(try await self.credentials())
            } catch {
                throw error.isPassing ? CredentialError.unavailable(error.detail) : .refused(error.detail)
            }
        }
        let pause = Backoff(randomness: .system) { try? await Task.sleep(for: $0) }
        return S3ObjectStore(
            settings: settings, credentials: keys, transport: network.transport, pause: pause, now: now
        )
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
    /// Whether asking again later may be answered otherwise.
    fileprivate var isPassing: Bool {
        [.serverUnreachable, .outcomeUnknown, .temporarilyUnavailable, .rateLimited].contains(code)
    }
}
