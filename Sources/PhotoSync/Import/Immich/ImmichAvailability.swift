import ForeignExports
import NIOCore
import Synchronization

/// Decides when an import from an Immich server stops: after several files in a row that could not be read. While the last
/// file failed, requests are not repeated, so that a server that hangs costs each file one time limit.
final class ImmichAvailability: Sendable {
    private struct State {
        /// The assets that failed since the last file that was read.
        var failed: Set<String> = []
        var isSampling = false
        var reason: ImmichError?
    }

    private let assets: [ImmichAsset]
    private let limit: Int
    private let state = Mutex(State())

    /// The number of other files that are tried before the import stops.
    private static let samples = 3

    /// - Parameters:
    ///   - assets: All files.
    ///   - limit: The number of failures in a row after which the import stops.
    init(_ assets: [ImmichAsset], limit: Int) { (self.assets, self.limit) = (assets, limit) }

    /// Why no more files are read; `nil` if the import continues.
    var reason: ImmichError? { state.withLock { $0.reason } }

    var isDoubtful: Bool { state.withLock { !$0.failed.isEmpty } }

    /// Records that the server sent a file, or answered that one file is missing or damaged.
    func recordAnswer() { state.withLock { $0.failed = [] } }

    /// Records that a file could not be read. If the server answers, the failures can be those of one folder, as of a disk
    /// that is not mounted: then some other files are tried.
    func record(_ error: ImmichError, of asset: ImmichAsset, in library: any ImmichLibrary) async {
        switch error {
        case .missing, .damaged: return recordAnswer()
        case .cancelled: return
        default: break
        }
        let failed = state.withLock { state -> Set<String>? in
            state.failed.insert(asset.id)
            guard state.failed.count >= limit, !state.isSampling, state.reason == nil else { return nil }
            state.isSampling = error.isOfAnswer
            if !error.isOfAnswer { state.reason = error }
            return error.isOfAnswer ? state.failed : nil
        }
        guard let failed else { return }
        let isReadable = await isAnyReadable(except: failed, in: library)
        state.withLock { state in
            state.isSampling = false
            if isReadable { state.failed = [] } else if !Task.isCancelled { state.reason = error }
        }
    }

    /// Requests the beginning of files that are spread over the library.
    private func isAnyReadable(except failed: Set<String>, in library: any ImmichLibrary) async -> Bool {
        let others = assets.filter { !failed.contains($0.id) }
        guard !others.isEmpty else { return false }
        for number in 1...Self.samples {
            let other = others[(others.count - 1) * number / Self.samples]
            var pieces: any AsyncIteratorProtocol<ByteBuffer, any Error> = library.original(
                of: other, isRetried: false
            ).makeAsyncIterator()
            if (try? await pieces.next(isolation: nil)) != nil { return true }
        }
        return false
    }
}

extension ImmichError {
    /// Whether the server answered, so that other files may be readable.
    fileprivate var isOfAnswer: Bool {
        switch self {
        case .serverFailed, .permissionMissing, .malformed: true
        default: false
        }
    }
}
