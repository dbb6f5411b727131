import NIOCore
import Synchronization

/// Whether a client still waits for its response.
final class ClientPresence: Sendable {
    private struct State {
        var hasLeft = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func leave() {
        let cancel = state.withLock { state in
            state.hasLeft = true
            return state.cancel
        }
        cancel?()
    }

    /// Runs an operation in a task that is cancelled when the client leaves. One at a time.
    func run<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await operation() }
        let hasLeft = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.hasLeft
        }
        defer { state.withLock { $0.cancel = nil } }
        if hasLeft { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// Notices that a client closes its connection, or its side of it.
final class ClientPresenceHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    let presence = ClientPresence()

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { presence.leave() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        presence.leave()
        context.fireChannelInactive()
    }
}

extension Channel {
    /// Runs an operation for the response to the current request, in a task that is cancelled when the client closes the
    /// connection or its side of it. A client that announced its last request is not watched: nothing more is read from it.
    package func whileClientWaits<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let presence = pipeline.handler(type: ClientPresenceHandler.self).map { $0.presence }
        // Other listeners have no such handler.
        guard let presence = try? await presence.get() else { return try await operation() }
        return try await presence.run(operation)
    }
}
