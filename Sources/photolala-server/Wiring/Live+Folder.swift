import DirectoryStorage
import Foundation
import Monitoring
import ObjectStorage
import PhotolalaAPI
import ServiceWiring
import UseCases

extension Live {
    /// Verifies the account database while the server starts. Until then nothing changes in it: with damage, known users
    /// would appear to be new.
    func verifyAccounts(_ store: DirectoryObjectStore) -> AccountVerification {
        store.holdAccounts()
        return AccountVerification(
            result: Task {
                let clock = ContinuousClock()
                let start = clock.now
                do {
                    try await store.verifyAccounts()
                    logger.info(
                        .accountsVerified, "account database verified", metadata: ["took": "\(clock.now - start)"])
                } catch {
                    let isDamaged = if case .corrupted = error as? ObjectStoreError { true } else { false }
                    logger.log(
                        level: isDamaged ? .error : .notice, .accountsNotVerified, "account database not verified",
                        metadata: ["reason": "\(error)"])
                    throw error
                }
            }, stop: store.stopVerifyingAccounts)
    }

    /// Reads all stored files again, up to nine minutes per run; one process per folder does it for all.
    func makeScrub(_ store: DirectoryObjectStore, _ scrub: ScrubSettings, _ services: ServiceGraph) -> Maintenance.Job {
        let job = ScrubJob(
            store, record: ObjectKey(known: StorageLayout.scrub), retry: LiveStore.retry,
            every: TimeInterval(scrub.everyDays) * 86_400, now: { Date() }, logger: logger)
        let period = Duration.seconds(600)
        return .init(name: "scrub", interval: .seconds(60), period: period) {
            try await job.readFindings()
            // The work ends before its lease expires.
            return try await services.maintenance.run(lease: "scrub", every: period) {
                try await job.run(for: 540, rate: scrub.bytesPerSecond) { try await Task.sleep(for: $0) }
            }
        }
    }
}
