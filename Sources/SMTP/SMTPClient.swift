import NIOCore
import NIOSSL
import Synchronization

/// Sends e-mails.
package protocol MailTransport: Sendable {
    /// Sends messages one after another, in at most 20 seconds.
    /// - Returns: for each, `nil` if the server accepted it, or why not.
    func send(_ messages: [MailMessage]) async -> [SMTPError?]
}

/// Sends e-mails through a mail server: a connection for each batch, encrypted and authenticated as the server's
/// settings require.
package struct SMTPClient: MailTransport {
    private let server: MailServer
    private let name: String
    private let tls: NIOSSLContext
    /// The total time for a batch.
    private let timeout: Duration

    /// - Parameters:
    ///   - name: the name of this client in `EHLO`, a domain.
    ///   - trustRoots: certificates that are trusted beside those of the system.
    ///   - timeout: the total time for a batch, after which the connection is closed.
    /// - Throws: if the trust roots cannot be loaded.
    package init(
        server: MailServer, name: String, trustRoots: [NIOSSLCertificate] = [], timeout: Duration = .seconds(18)
    ) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        if !trustRoots.isEmpty { configuration.additionalTrustRoots = [.certificates(trustRoots)] }
        tls = try NIOSSLContext(configuration: configuration)
        (self.server, self.name, self.timeout) = (server, name, timeout)
    }

    package func send(_ messages: [MailMessage]) async -> [SMTPError?] {
        var outcomes: [SMTPError?] = []
        do throws(SMTPError) {
            let connection = try await open()
            do throws(SMTPError) {
                for message in messages { outcomes.append(try await Self.send(message, connection)) }
                await connection.quit()
            } catch {
                connection.close()
                throw error
            }
        } catch {
            let unsent = Array(repeating: Optional(error), count: messages.count - outcomes.count)
            return outcomes + unsent
        }
        return outcomes
    }

    /// Sends one message, and records each step.
    package func trace(_ message: MailMessage) async -> SMTPTrace {
        let steps = Mutex<[SMTPStep]>([])
        do throws(SMTPError) {
            let connection = try await open { step in steps.withLock { $0.append(step) } }
            do throws(SMTPError) { try await connection.send(message) } catch {
                connection.close()
                throw error
            }
            await connection.quit()
            return SMTPTrace(steps: steps.withLock { $0 } + [.accepted], failure: nil)
        } catch {
            return SMTPTrace(steps: steps.withLock { $0 }, failure: error)
        }
    }

    /// Connects, authenticates, names the sender, and sends nothing.
    package func check(_ sender: MailAddress) async throws(SMTPError) {
        let connection = try await open()
        do throws(SMTPError) { try await connection.tryToSend(from: sender) } catch {
            connection.close()
            throw error
        }
        await connection.quit()
    }

    private func open(_ report: SMTPProgress = { _ in }) async throws(SMTPError) -> SMTPConnection {
        let (seconds, attoseconds) = timeout.components
        let time = TimeAmount.nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        return try await SMTPConnection.open(to: server, as: name, tls: tls, deadline: .now() + time, report)
    }

    private static func send(
        _ message: MailMessage, _ connection: SMTPConnection
    ) async throws(SMTPError) -> SMTPError? {
        do throws(SMTPError) {
            try await connection.send(message)
            return nil
        } catch {
            guard case .refused = error else { throw error }
            return error
        }
    }
}
