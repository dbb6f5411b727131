import Accounts
import Foundation
import Logging
import ObjectStorage

extension Services {
    private static let callsTogether = 8

    /// Makes the calls to providers that this copy has just kept, a few at a time, until the task is cancelled.
    package func makeFreshProviderCalls() async {
        var calls = providerCalls.fresh.makeAsyncIterator()
        await fewAtOnce(Self.callsTogether, next: { await calls.next() }) { await makeFresh($0) }
    }

    /// Makes all calls to providers whose time has come, of whichever copy. One listing, when there are none.
    package func makeProviderCalls() async throws(FlowError) {
        for key in try await step({ try await providerCalls.kept() }) {
            guard !Task.isCancelled else { return }
            if let call = try await step({ try await providerCalls.take(key) }) { await make(call) }
        }
    }

    /// After its minute another copy may be making it.
    private func makeFresh(_ call: Stored<ProviderCall>) async {
        guard now().addingTimeInterval(20) < call.value.nextTryAt else { return }
        await make(call)
    }

    /// Makes a call, and forgets it when nothing is left to do.
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
