import PhotoCatalog
import PhotoSync
import PhotolalaAPI

extension PhotolalaLibrary {
    /// Reads stored photos back and compares them with the catalog, each content once. Nothing is written or repaired:
    /// `backUp(verifying:)` on a device that has a photo uploads it again. Archived photos are skipped.
    /// - Parameters:
    ///   - sample: The amount to read back.
    ///   - filter: The photos from which the sample is drawn.
    public func verify(
        _ sample: VerificationSample, where filter: PhotoFilter = PhotoFilter()
    ) -> Transfer<TransferProgress, VerificationReport> {
        Transfer { progress throws(PhotolalaError) in try await verify(sample, where: filter, progress: progress) }
    }

    private func verify(
        _ sample: VerificationSample, where filter: PhotoFilter,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> VerificationReport {
        let selection = try filter.checked()
        let (user, store) = try await open(for: .reading)
        let verification = Verification(store: store, user: user, cache: cache(user), pause: pause)
        let counter = ProgressCounter(report: progress)
        let summary: VerificationSummary
        do {
            summary = try await verification.run(selection, sample: sample.count) { counter.record($0) }
        } catch {
            throw PhotolalaError(error)
        }
        return VerificationReport(summary, stopped: try await reason(for: summary.ending, of: user))
    }
}

/// The amount of photos to read back.
public enum VerificationSample: Sendable, Equatable {
    case all
    /// The given number of photos, chosen at random.
    case photos(Int)
    /// The given percentage, chosen at random, and at least one photo.
    case percent(Double)

    /// Returns the sample size for a number of photos.
    func count(of photos: Int) -> Int {
        switch self {
        case .all: photos
        case .photos(let count): min(max(0, count), photos)
        case .percent(let percent):
            percent > 0 ? min(photos, max(1, Int((Double(photos) * min(percent, 100) / 100).rounded(.up)))) : 0
        }
    }
}

/// The result of a verification.
public struct VerificationReport: Sendable, Codable, Equatable {
    /// The number of distinct contents from which the sample was drawn.
    public let wantedFiles: Int
    /// The number of contents that were read.
    public let checkedFiles: Int
    /// Their total size, in bytes.
    public let checkedBytes: Int64
    /// Contents that could not be verified, each under one of its paths.
    public let failures: [FileFailure]
    /// The number of failures whose stored bytes are damaged or missing.
    public let damagedFiles: Int
    /// Contents that were skipped because they are archived, each under one of its paths. These do not count as
    /// failures.
    public let archived: [String]
    /// Why the verification stopped early; `nil` if the whole sample was tried.
    public let stopped: TransferStopReason?

    /// Whether everything in the sample that could be read is intact. `false` if the sample has only archived photos.
    public var isSound: Bool {
        failures.isEmpty && stopped == nil && (checkedFiles > 0 || archived.isEmpty)
    }

    init(_ summary: VerificationSummary, stopped: TransferStopReason?) {
        wantedFiles = summary.contents
        checkedFiles = summary.checkedFiles
        checkedBytes = summary.checkedBytes
        archived = summary.archived.map(\.description)
        failures = summary.failures.map { FileFailure($0.path, $0.failure) }
        damagedFiles = summary.failures.count { $0.failure.isDamage }
        self.stopped = stopped
    }
}
