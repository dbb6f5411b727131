import Accounts
import Foundation
import Logging
import Monitoring
import ObjectStorage

/// Makes the stored calls to providers.
package struct ProviderCallJob: Sendable {
    let providerCalls: ProviderCalls
    let tokenLifecycle: ProviderTokenLifecycle
    let now: @Sendable () -> Date
    let logger: Logger

    private static let callConcurrency = 8

    /// Makes the provider calls that this instance has just scheduled, several concurrently, until the task is
    /// cancelled.
    package func makeScheduledProviderCalls() async {
        var calls = providerCalls.newCalls.makeAsyncIterator()
        await concurrentForEach(Self.callConcurrency, next: { await calls.next() }) { await makeScheduledCall($0) }
    }

    /// Makes all due provider calls, including those that other instances scheduled. One listing if there are none.
    package func makeProviderCalls() async throws(ServiceError) {
        for key in try await mapServiceErrors({ try await providerCalls.pendingKeys() }) {
            guard !Task.isCancelled else { return }
            if let call = try await mapServiceErrors({ try await providerCalls.acquire(key) }) { await makeCall(call) }
        }
    }

    /// Makes a call unless fewer than 20 seconds remain before another instance may retry it.
    private func makeScheduledCall(_ call: Stored<ProviderCall>) async {
        guard now().addingTimeInterval(20) < call.value.nextTryAt else { return }
        await makeCall(call)
    }

    /// Makes a call and deletes it once it is done.
    package func makeCall(_ call: Stored<ProviderCall>) async {
        var isDone = call.value.isExpired(at: now())
        do {
            if !isDone {
                isDone =
                    try await call.value.act == .exchange
                    ? tokenLifecycle.exchange(call.value) : tokenLifecycle.revoke(call.value)
            } else {
                logger.error(.providerCallExpired, "provider call expired", metadata: metadata(call))
            }
        } catch ProviderTokenError.refused {
            logger.warning(.providerCodeRefused, "provider rejected a code", metadata: metadata(call))
            isDone = true
        } catch {
            logger.warning(.providerCallFailed, "provider call failed", metadata: metadata(call, error))
        }
        guard isDone else { return }
        do {
            try await providerCalls.finish(call)
        } catch {
            logger.error(
                .providerCallNotDeleted, "deleting a completed provider call failed", metadata: metadata(call, error))
        }
    }

    private func metadata(_ call: Stored<ProviderCall>, _ error: (any Error)? = nil) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "act": "\(call.value.act.rawValue)", "provider": "\(call.value.provider)", "tries": "\(call.value.tries)",
        ]
        if let error { metadata["reason"] = "\(error)" }
        return metadata
    }
}
