import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotolalaClient

@Suite("Long-running operations") struct TransferTests {
    private static func progress(_ finished: Int) -> TransferProgress {
        var progress = TransferProgress()
        (progress.totalFiles, progress.finishedFiles) = (3, finished)
        return progress
    }

    @Test("the progress never decreases, and its last value and the report are delivered")
    func progress() async throws {
        let transfer = Transfer<TransferProgress, Int> { progress in
            for finished in [0, 2, 1, 3] { progress(Self.progress(finished)) }
            return 7
        }
        var seen: [Int] = []
        for await progress in transfer { seen.append(progress.finishedFiles) }
        #expect(seen.last == 3 && seen == seen.sorted())
        let report = try await transfer.report
        #expect(report == 7)
    }

    @Test("a failure to start is thrown by the report, without an observer")
    func failure() async {
        let transfer = Transfer<TransferProgress, Int> { _ throws(PhotolalaError) in throw .notSignedIn }
        await #expect(throws: PhotolalaError.notSignedIn) { try await transfer.report }
    }

    @Test(
        "an operation ends when it, or its awaiting task, is cancelled or when it is released", arguments: 0..<3)
    func cancelled(how: Int) async throws {
        let (begun, over) = (Gate(), Gate())
        var transfer: Transfer<TransferProgress, Int>? = Transfer { _ throws(PhotolalaError) in
            begun.open()
            // Ends only when it is cancelled.
            await Gate().wait()
            over.open()
            throw PhotolalaError(code: .cancelled, detail: "Cancelled.")
        }
        await begun.wait()
        switch how {
        case 0:
            transfer?.cancel()
            let failure = await #expect(throws: PhotolalaError.self) { try await transfer?.report }
            #expect(failure?.code == .cancelled)
        case 1:
            let held = try #require(transfer)
            let waiting = Task { try await held.report }
            waiting.cancel()
            let failure = await #expect(throws: PhotolalaError.self) { try await waiting.value }
            #expect(failure?.code == .cancelled)
        default: transfer = nil
        }
        await over.wait()
    }
}
