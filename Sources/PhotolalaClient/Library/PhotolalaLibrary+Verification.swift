import PhotoLibrary
import PhotolalaAPI

extension PhotolalaLibrary {
    /// Reads stored photos back and holds them against the catalog, each content once. Nothing is written and nothing
    /// mended: `backUp(verifying:)` on a device that has a photo sends it again. Archived photos are left where they are.
    /// - Parameters:
    ///   - sample: how much is read back.
    ///   - filter: of what the sample is drawn.
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
        let (user, store) = try await open(for: .looking)
        let verification = Verification(store: store, user: user, cache: cache(user), pause: pause)
        let counter = ProgressCounter(report: progress)
        let summary: VerificationSummary
        do {
            summary = try await verification.run(selection, sample: sample.count) { counter.note($0) }
        } catch {
            throw PhotolalaError(error)
        }
        return VerificationReport(summary, stopped: try await reason(for: summary.ending))
    }
}

/// How much is read back.
public enum VerificationSample: Sendable, Equatable {
    case all
    /// So many photos, drawn at random.
    case photos(Int)
    /// So many of a hundred, drawn at random, and at least one.
    case percent(Double)

    /// How many of so many photos.
    func count(of photos: Int) -> Int {
        switch self {
        case .all: photos
        case .photos(let count): min(max(0, count), photos)
        case .percent(let percent):
            percent > 0 ? min(photos, max(1, Int((Double(photos) * min(percent, 100) / 100).rounded(.up)))) : 0
        }
    }
}

/// What a verification found.
public struct VerificationReport: Sendable, Codable, Equatable {
    /// Different contents that are meant, of which the sample was drawn.
    public let wantedFiles: Int
    /// Contents that were read.
    public let checkedFiles: Int
    /// Their bytes.
    public let checkedBytes: Int64
    /// Contents that were not found whole, each under one of its paths.
    public let failures: [FileFailure]
    /// Those of them whose stored bytes are damaged or gone.
    public let damagedFiles: Int
    /// Contents that were not looked at because they are archived, each under one of its paths. They are no failures.
    public let archived: [String]
    /// Why it stopped before the end; `nil` when all of the sample was tried.
    public let stopped: TransferStopReason?

    /// Whether all of the sample that could be looked at was found whole. Where there was nothing but archived photos
    /// nothing is known.
    public var isSound: Bool {
        failures.isEmpty && stopped == nil && (checkedFiles > 0 || archived.isEmpty)
    }

    init(_ summary: VerificationSummary, stopped: TransferStopReason?) {
        wantedFiles = summary.contents
        checkedFiles = summary.checkedFiles
        checkedBytes = summary.checkedBytes
        archived = summary.archived.map(\.description)
        failures = summary.failures.map { FileFailure(path: $0.path.description, reason: $0.failure.words) }
        damagedFiles = summary.failures.count { $0.failure.isDamage }
        self.stopped = stopped
    }
}
