import Foundation
import PhotoSync
import PhotolalaAPI

/// Backs up photos automatically, with uploads that the system continues while the app does not run.
///
/// ```swift
/// let backup = BackgroundBackup(library: library, preferences: preferences, sessionID: "com.example.app.backup")
/// let report = try await backup.run(PhotoKitSource())
/// print("\(report.waitingPhotos) photos are uploaded in the background")
/// ```
///
/// Each run copies new photos, hands them to the system, and adds those to the library that are uploaded. Any process
/// of the app may end at any time: the next one continues. Call ``run(_:)`` when the app opens and in a task of
/// `BackgroundBackupTask`, and ``resume()`` when the system relaunches the app for its uploads.
/// Calls wait for each other.
///
/// It obeys the preferences of the device: nothing is backed up unless `autoBackup` is `true`; unless `wifiOnlyBackup`
/// is `false`, uploads use neither cellular networks nor personal hotspots; none uses a network in Low Data Mode.
/// `uploadQuality` must be one of the values that the app's source implements.
///
/// Create one for each session ID, and keep it while the app runs.
public actor BackgroundBackup {
    private let library: PhotolalaLibrary
    private let preferences: PhotolalaPreferences
    let transfer: any BackgroundTransfer
    private let inbox: BackgroundInbox
    private let qualities: Set<String>
    private let limits: BackgroundLimits
    private var opened: (user: UserID, uploads: BackgroundUploads)?
    /// The last run, which the next one waits for.
    private var last = Task<Void, Never> {}

    /// - Parameters:
    ///   - transfer: Uploads files; it posts the end of each upload to `inbox`.
    ///   - qualities: The values of `uploadQuality` that the sources of the runs implement.
    package init(
        library: PhotolalaLibrary, preferences: PhotolalaPreferences, transfer: any BackgroundTransfer,
        inbox: BackgroundInbox, qualities: Set<String>, limits: BackgroundLimits = BackgroundLimits()
    ) {
        (self.library, self.preferences, self.transfer, self.inbox) = (library, preferences, transfer, inbox)
        (self.qualities, self.limits) = (qualities, limits)
    }

    /// The value of `uploadQuality` with which photos are uploaded as they are; also if it is not set.
    public static let originalQuality = "original"

    /// Backs up what is new in a source.
    /// - Throws: `uploadQualityUnsupported`, and as a backup does. Photos that were copied are kept.
    public func run(_ source: any PhotoSource) async throws(PhotolalaError) -> BackgroundBackupReport {
        try await afterOthers { backup throws(PhotolalaError) in try await backup.advance(after: source) }
    }

    /// Continues the uploads without looking for new photos.
    /// - Throws: As ``run(_:)``.
    public func resume() async throws(PhotolalaError) -> BackgroundBackupReport {
        try await afterOthers { backup throws(PhotolalaError) in try await backup.advance(after: nil) }
    }

    /// Cancels all uploads and removes the copies of their photos, for example before a sign-out. The next run begins
    /// anew. Without a session, as after the device was removed, it does so for all accounts that this device had.
    public func cancel() async throws(PhotolalaError) {
        try await afterOthers { backup throws(PhotolalaError) in try await backup.cancelAll() }
    }

    /// Runs work once all earlier work has ended.
    private func afterOthers<Value: Sendable>(
        _ work: @escaping @Sendable (BackgroundBackup) async throws(PhotolalaError) -> Value
    ) async throws(PhotolalaError) -> Value {
        let earlier = last
        let next = Task { () async -> Result<Value, PhotolalaError> in
            await earlier.value
            do throws(PhotolalaError) { return .success(try await work(self)) } catch { return .failure(error) }
        }
        last = Task { _ = await next.value }
        return try await withTaskCancellationHandler {
            await next.value
        } onCancel: {
            next.cancel()
        }.get()
    }

    private func advance(after source: (any PhotoSource)?) async throws(PhotolalaError) -> BackgroundBackupReport {
        let uploads = try await uploads()
        guard try await preferences.value(of: "autoBackup") == .bool(true) else {
            try await cancel(uploads)
            return BackgroundBackupReport(isEnabled: false, counts: await uploads.counts)
        }
        try await checkQuality()
        let networks: PermittedNetworks =
            try await preferences.value(of: "wifiOnlyBackup") == .bool(false) ? .all : .unmetered
        var backup: BackupReport?
        if let source {
            backup = try await library.backUp(
                BackupPlace(source), as: opened?.user, only: nil, verifying: false, thumbnails: .none,
                deferring: uploads, progress: { _ in })
        }
        var stopped = backup?.stopped
        do throws(BackgroundStop) {
            try await uploads.advance(over: networks)
        } catch {
            let error = PhotolalaError(error)
            guard error.code != .notSignedIn else { throw error }
            stopped = TransferStopReason(error)
        }
        return BackgroundBackupReport(
            isEnabled: true, counts: await uploads.counts, backup: backup, stopped: stopped)
    }

    private func checkQuality() async throws(PhotolalaError) {
        guard let value = try await preferences.value(of: "uploadQuality") else { return }
        let quality =
            switch value {
            case .text(let text): text
            case .number(let number): number == number.rounded() ? String(Int64(number)) : String(number)
            case .bool(let flag): "\(flag)"
            }
        guard qualities.contains(quality) else {
            throw PhotolalaError(
                code: .uploadQualityUnsupported,
                detail: "This app does not upload with the quality \u{201c}\(quality)\u{201d} (uploadQuality).")
        }
    }

    private func cancelAll() async throws(PhotolalaError) {
        if try await library.session.signedInUserID() != nil { return try await cancel(try await uploads()) }
        if let opened { try await cancel(opened.uploads) }
        opened = nil
        do {
            try await BackgroundUploads.removeAll(in: library.stateFolder, transfer: transfer)
        } catch {
            throw PhotolalaError(BackgroundStop.file(error))
        }
    }

    private func cancel(_ uploads: BackgroundUploads) async throws(PhotolalaError) {
        do throws(BackgroundStop) { try await uploads.cancelAll() } catch { throw PhotolalaError(error) }
    }

    /// Returns the uploads of the signed-in user.
    private func uploads() async throws(PhotolalaError) -> BackgroundUploads {
        guard let user = try await library.session.signedInUserID() else { throw .notSignedIn }
        if let opened, opened.user == user { return opened.uploads }
        opened = nil
        let uploads = try await library.backgroundUploads(of: user, over: transfer, inbox: inbox, limits: limits)
        opened = (user, uploads)
        return uploads
    }
}

/// The result of a run of a ``BackgroundBackup``.
public struct BackgroundBackupReport: Sendable, Codable, Equatable {
    /// Whether the preference `autoBackup` permits automatic backups. If not, all uploads were cancelled.
    public let isEnabled: Bool
    /// The number of photos that wait for space or for the server.
    public let waitingPhotos: Int
    /// The number of photos that the system uploads.
    public let uploadingPhotos: Int
    /// The number of photos that are uploaded and not in the library yet.
    public let uploadedPhotos: Int
    /// The number of photos, videos and sidecars in the source; `nil` if it was not read.
    public let foundFiles: Int?
    /// Files of the source that could not be read.
    public let failures: [FileFailure]
    /// Why the uploads could not continue; `nil` if they did. The next run tries again.
    public let stopped: TransferStopReason?

    init(
        isEnabled: Bool, counts: BackgroundCounts, backup: BackupReport? = nil, stopped: TransferStopReason? = nil
    ) {
        self.isEnabled = isEnabled
        waitingPhotos = counts.waiting
        uploadingPhotos = counts.running
        uploadedPhotos = counts.stored
        foundFiles = backup?.foundFiles
        failures = backup?.failures ?? []
        self.stopped = stopped
    }
}
