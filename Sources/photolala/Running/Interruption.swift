import Dispatch
import Foundation
import Synchronization

/// Turns the first SIGINT (Ctrl-C) or SIGTERM into a cancellation. The second one ends the process immediately.
final class Interruption {
    private final class Received: Sendable {
        let signal = Mutex<Int32?>(nil)
    }

    private let received = Received()
    private let sources: [any DispatchSourceSignal]

    init(cancel: @escaping @Sendable () -> Void) {
        let received = received
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let isFirst = received.signal.withLock { signal in
                    defer { signal = number }
                    return signal == nil
                }
                guard isFirst else { _exit(128 + number) }
                if Terminal.isInteractive { Terminal.writeNotice("\nStopping. Press Ctrl-C again to force quit.") }
                cancel()
            }
            source.resume()
            return source
        }
    }

    var hasOccurred: Bool { received.signal.withLock { $0 != nil } }

    deinit {
        for source in sources { source.cancel() }
    }
}
