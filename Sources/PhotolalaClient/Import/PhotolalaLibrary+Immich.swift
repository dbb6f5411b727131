import ForeignExports
import Foundation
import ImmichAPI
import ObjectStorage
import PhotoCatalog
import PhotoSync
import PhotolalaAPI

/// An account of an Immich server, for ``PhotolalaLibrary/importImmich(_:network:options:)``.
public struct ImmichAccount: Sendable, CustomStringConvertible {
    /// The address of the server.
    public let server: ServerAddress
    let apiKey: String

    /// The address, without the key.
    public var description: String { server.description }

    private static let longestKey = 1024

    /// Creates an account.
    /// - Parameters:
    ///   - server: The address of the server, with or without `/api`.
    ///   - apiKey: A key that was created in Immich under Account Settings, API Keys, with the permissions `user.read`,
    ///     `asset.read`, `asset.download` and `album.read`. It is sent only to this server.
    /// - Throws: `invalidRequest` if the key is not one.
    public init(server: ServerAddress, apiKey: String) throws(PhotolalaError) {
        let key = apiKey.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...Self.longestKey).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw PhotolalaError(
                code: .invalidRequest, detail: "Invalid Immich API key: expected one line of letters and digits.")
        }
        (self.server, self.apiKey) = (server, key)
    }
}

/// The choices of ``PhotolalaLibrary/importImmich(_:network:options:)``.
public struct ImmichImportOptions: Sendable, Equatable {
    /// The folder of the library for the photos.
    public var destination: String
    /// Whether photos in the trash of Immich are imported, as photos that are not.
    public var includesTrashed: Bool
    /// Whether the import is only predicted: nothing is changed, neither on this device nor in the library.
    public var isDryRun: Bool

    /// Creates the choices.
    /// - Parameters:
    ///   - destination: The folder of the library for the photos.
    ///   - includesTrashed: Whether photos in the trash of Immich are imported.
    ///   - isDryRun: Whether the import is only predicted.
    public init(destination: String = "Immich", includesTrashed: Bool = false, isDryRun: Bool = false) {
        (self.destination, self.includesTrashed, self.isDryRun) = (destination, includesTrashed, isDryRun)
    }
}

extension PhotolalaLibrary {
    /// Imports the photos of an Immich account, read from the running server: uploads them as
    /// ``backUp(_:selecting:verifying:thumbnails:)`` does, with the dates, places and favorites that Immich has. Each
    /// file is verified with Immich's checksum. Photos that the library has are not uploaded again, and nothing is
    /// removed. An interrupted import continues when it is started again, and a later one imports what is new.
    ///
    /// ```swift
    /// let account = try ImmichAccount(server: ServerAddress("https://photos.example.org"), apiKey: key)
    /// let options = ImmichImportOptions(isDryRun: true)
    /// let plan = try await library.importImmich(account, network: network, options: options).report
    /// print(plan.photos.uploadedBytes, plan.albums)
    /// ```
    ///
    /// A photo is at `Immich/2023/IMG_1.jpg`; if it is also in an album, the same content is a second time in
    /// `Immich/Albums/Summer in Rome`; it is stored once.
    /// - Parameters:
    ///   - account: The server and the key of the account.
    ///   - network: The connections to the server.
    ///   - options: The place in the library, and what is imported.
    /// - Throws: `notAllowed` if Immich does not accept the key or the key lacks a permission, `unusableAddress` if the
    ///   server is none of Immich, or redirects, and `syncUnderWay` while another import of the account runs here.
    public func importImmich(
        _ account: ImmichAccount, network: PhotolalaNetwork, options: ImmichImportOptions = ImmichImportOptions()
    ) -> Transfer<TransferProgress, ImmichImportReport> {
        Transfer { progress throws(PhotolalaError) in
            let server = ImmichServer(
                address: account.server.description, key: account.apiKey, transport: network.transport, pause: pause)
            return try await importImmich(server, options, progress: progress)
        }
    }

    private func importImmich(
        _ server: ImmichServer, _ options: ImmichImportOptions, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> ImmichImportReport {
        guard let destination = LibraryPath(options.destination) else {
            throw PhotolalaError(
                code: .invalidRequest, detail: "“\(options.destination)” is not a folder of a library.")
        }
        let (user, store) = try await open(for: options.isDryRun ? .reading : .backingUp)
        var settings = BackupSettings()
        settings.zone = zone
        settings.previewQuality = previews.quality
        settings.limitParallelFiles(parallelFiles)
        let uploads = uploads(to: store, of: user)
        let device = options.isDryRun ? DeviceTag.none : try await session.catalogTag()
        let backup = Backup(
            store: uploads, user: user, device: device, stateFolder: stateFolder, settings: settings,
            thumbnails: maker(for: .ofNewPhotos), pause: pause, pressure: pressure, now: now)
        var choices = ImmichPlan.Options(destination: destination)
        choices.includesTrashed = options.includesTrashed
        let counter = ProgressCounter(report: progress)
        let summary: ImmichImportSummary
        do {
            summary = try await ImmichImporter(backup, options: choices).run(from: server, isDryRun: options.isDryRun) {
                [onFile] event in
                counter.record(event)
                if let onFile, let file = FileEvent(event) { onFile(file) }
            }
        } catch let error as ImmichError {
            throw PhotolalaError(error)
        } catch let error as BackupError {
            throw PhotolalaError(error, folder: nil)
        } catch ImmichImportError.underWay {
            throw PhotolalaError(
                code: .syncUnderWay,
                detail: "Another import of this Immich account is in progress on this device. Try again after its end.")
        } catch is CancellationError {
            throw PhotolalaError.cancelled
        } catch {
            throw PhotolalaError(code: .internalError, detail: "Cannot import: unexpected error: \(error).")
        }
        return ImmichImportReport(
            summary, isDryRun: options.isDryRun, lacksThumbnailTool: lacksThumbnailTool(for: .ofNewPhotos),
            stopped: try await reason(for: summary.backup.ending, of: user), storage: uploads.quota.storageUsage)
    }
}

extension PhotolalaError {
    /// Maps the reason why an Immich server cannot be read.
    init(_ error: ImmichError) {
        let code: ErrorCode
        switch error {
        case .unreachable: code = .serverUnreachable
        case .notTrusted: code = .serverNotTrusted
        case .noAnswer: code = .noResponse
        case .keyRefused, .permissionMissing: code = .notAllowed
        case .redirected, .notImmich, .versionNotSupported, .malformed, .tooLarge: code = .unusableAddress
        case .busy: code = .rateLimited
        case .serverFailed, .changing: code = .temporarilyUnavailable
        case .missing, .damaged: code = .notFound
        case .cancelled: code = .cancelled
        }
        self.init(code: code, detail: error.message, cause: FailureCause(immich: error))
    }
}

extension FailureCause {
    init(immich error: ImmichError) {
        self =
            switch error {
            case .unreachable(let address, let reason), .notTrusted(let address, let reason):
                FailureCause(.serviceUnavailable, ["address": address, "message": reason])
            case .noAnswer, .busy, .changing: FailureCause(.serviceUnavailable)
            case .redirected(let location): FailureCause(.redirected, location.map { ["location": $0] })
            case .keyRefused: FailureCause(.keyRefused)
            case .permissionMissing(let permission): FailureCause(.permissionMissing, ["permission": permission])
            case .notImmich: FailureCause(.wrongService)
            case .versionNotSupported(let version): FailureCause(.unsupportedVersion, ["version": version])
            case .serverFailed(let status): FailureCause(.serviceFailed, ["status": "\(status)"])
            case .missing: FailureCause(.assetMissing)
            case .malformed(let request), .tooLarge(let request): FailureCause(.unexpectedAnswer, ["request": request])
            case .damaged: FailureCause(.checksumMismatch)
            case .cancelled: FailureCause(.cancelled)
            }
    }
}
