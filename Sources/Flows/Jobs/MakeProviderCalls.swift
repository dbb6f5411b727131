import Accounts
import Foundation
import Logging
import ObjectStorage

extension Services {
    private static let callsTogether = 8

    /// Makes the provider calls that this instance has just scheduled, several concurrently, until the task is
    /// cancelled.
    package func makeFreshProviderCalls() async {
        var calls = providerCalls.fresh.makeAsyncIterator()
        await fewAtOnce(Self.callsTogether, next: { await calls.next() }) { await makeFresh($0) }
    }

    /// Makes all due provider calls, including those that other instances scheduled. One listing if there are none.
    package func makeProviderCalls() async throws(FlowError) {
        for key in try await step({ try await providerCalls.kept() }) {
            guard !Task.isCancelled else { return }
            if let call = try await step({ try await providerCalls.take(key) }) { await make(call) }
        }
    }

    /// Makes a call unless fewer than 20 seconds remain before another instance may retry it.
    private func makeFresh(_ call: Stored<ProviderCall>) async {
        guard now().addingTimeInterval(20) < call.value.nextTryAt else { return }
        await make(call)
    }

    /// Makes a call and deletes it once it is done.
    package func make(_ call: Stored<ProviderCall>) async {
        var isDone = call.value.isOver(at: now())
        do {
            if !isDone {
                isDone = try await call.value.act == .exchange ? exchange(call.value) : revoke(call.value)
            } else {
                logger.error("a call to a provider was given up", metadata: metadata(call))
            }
        } catch ProviderTokenError.refused {
            logger.warning("a provider refused a code", metadata: metadata(call))
            isDone = true
        } catch {
            logger.warning("a call to a provider failed", metadata: metadata(call, error))
        }
        guard isDone else { return }
        do {
            try await providerCalls.finish(call)
        } catch {
            logger.error("a call to a provider cannot be finished", metadata: metadata(call, error))
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
