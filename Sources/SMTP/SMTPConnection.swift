import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A connection to a mail server (RFC 5321), used for one batch of messages.
struct SMTPConnection {
    private let channel: any Channel
    private let replies: NIOLoopBound<SMTPReplyHandler>
    /// The keywords and parameters of the extensions that the server offers, in upper case.
    private var extensions: [String: [String]] = [:]

    /// Connects, encrypts and authenticates.
    /// - Parameters:
    ///   - name: the name of this client, a domain.
    ///   - tls: the trust roots and TLS versions.
    ///   - deadline: when the connection is closed, whatever happens.
    ///   - report: called after each step.
    static func open(
        to server: MailServer, as name: String, tls: NIOSSLContext, deadline: NIODeadline, _ report: SMTPProgress
    ) async throws(SMTPError) -> SMTPConnection {
        let connection = try await connect(to: server, tls, deadline)
        report(.connected(address: connection.channel.remoteAddress?.ipAddress ?? server.host))
        do throws(SMTPError) {
            return try await connection.greeted(by: server, as: name, tls, report)
        } catch {
            connection.close()
            throw error
        }
    }

    private static func connect(
        to server: MailServer, _ tls: NIOSSLContext, _ deadline: NIODeadline
    ) async throws(SMTPError) -> SMTPConnection {
        do {
            let (channel, handler) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(max(.zero, deadline - .now()))
                .connect(host: server.host, port: server.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if server.security == .implicitTLS {
                            try channel.pipeline.syncOperations.addHandler(Self.tlsHandler(tls, server))
                        }
                        let handler = SMTPReplyHandler()
                        try channel.pipeline.syncOperations.addHandler(handler)
                        let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
                        let timer = channel.eventLoop.scheduleTask(deadline: deadline) {
                            bound.value.fail(.timedOut, nil)
                            channel.close(promise: nil)
                        }
                        channel.closeFuture.whenComplete { _ in timer.cancel() }
                        return (channel, bound)
                    }
                }
            return SMTPConnection(channel: channel, replies: handler)
        } catch {
            throw deadline <= .now() ? .timedOut : SMTPError(error)
        }
    }

    private init(channel: any Channel, replies: NIOLoopBound<SMTPReplyHandler>) {
        (self.channel, self.replies) = (channel, replies)
    }

    private static func tlsHandler(_ tls: NIOSSLContext, _ server: MailServer) throws -> NIOSSLClientHandler {
        // The certificate of a server without a name must have its address.
        let isAddress = (try? SocketAddress(ipAddress: server.host, port: server.port)) != nil
        return try NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : server.host)
    }

    private func greeted(
        by server: MailServer, as name: String, _ tls: NIOSSLContext, _ report: SMTPProgress
    ) async throws(SMTPError) -> SMTPConnection {
        var connection = self
        let greeting = try await nextReply()
        if server.security == .implicitTLS { report(.encrypted) }
        try Self.require(2, greeting, "greeting")
        connection.extensions = try await connection.hello(name)
        report(.greeted)
        if server.security == .startTLS {
            guard connection.extensions["STARTTLS"] != nil else { throw .noTLS }
            try Self.require(2, try await command("STARTTLS"), "STARTTLS")
            try await connection.startTLS(tls, server)
            // What the server said before may have been changed on the way.
            connection.extensions = try await connection.hello(name)
            report(.encrypted)
        }
        if let credentials = server.credentials {
            try await connection.authenticate(credentials)
            report(.authenticated)
        }
        return connection
    }

    private func hello(_ name: String) async throws(SMTPError) -> [String: [String]] {
        let reply = try await command("EHLO \(name)")
        try Self.require(2, reply, "EHLO")
        let pairs = reply.lines.dropFirst().map { line in
            let words = line.uppercased().split(whereSeparator: { $0 == " " || $0 == "=" }).map(String.init)
            return (words.first ?? "", Array(words.dropFirst()))
        }
        return Dictionary(pairs, uniquingKeysWith: +)
    }

    private func startTLS(_ tls: NIOSSLContext, _ server: MailServer) async throws(SMTPError) {
        do {
            try await channel.eventLoop.submit { [channel, replies] in
                try replies.value.requireNothingUnread()
                try channel.pipeline.syncOperations.addHandler(Self.tlsHandler(tls, server), position: .first)
            }.get()
        } catch {
            throw SMTPError(error)
        }
    }

    /// Authenticates by `PLAIN` (RFC 4616) or `LOGIN`, which older servers offer.
    private func authenticate(_ credentials: MailServer.Credentials) async throws(SMTPError) {
        let methods = extensions["AUTH"] ?? []
        let encoded = { (text: String) in Data(text.utf8).base64EncodedString() }
        let reply: SMTPReply
        if methods.contains("PLAIN") {
            reply = try await command("AUTH PLAIN \(encoded("\0\(credentials.user)\0\(credentials.password)"))")
        } else if methods.contains("LOGIN") {
            try Self.requireAuthentication(3, try await command("AUTH LOGIN"))
            try Self.requireAuthentication(3, try await command(encoded(credentials.user)))
            reply = try await command(encoded(credentials.password))
        } else {
            throw .noAuthentication
        }
        try Self.requireAuthentication(2, reply)
    }

    /// Sends a message.
    /// - Throws: `refused` if the server refuses it; the connection can be used for others then.
    func send(_ message: MailMessage) async throws(SMTPError) {
        do throws(SMTPError) {
            try Self.require(2, try await command("MAIL FROM:<\(message.from.address)>"), "MAIL")
            try Self.require(2, try await command("RCPT TO:<\(message.to)>"), "RCPT")
            try Self.require(3, try await command("DATA"), "DATA")
        } catch {
            if case .refused = error { _ = try await command("RSET") }
            throw error
        }
        // Without a line that begins with a dot, nothing is to be escaped (RFC 5321 section 4.5.2).
        try Self.require(2, try await exchange(ByteBuffer(string: "\(message.encoded()).\r\n")), "message")
    }

    /// Tests whether the server accepts a sender.
    func tryToSend(from sender: MailAddress) async throws(SMTPError) {
        try Self.require(2, try await command("MAIL FROM:<\(sender)>"), "MAIL")
        _ = try await command("RSET")
    }

    /// Ends the session. A server that does not answer soon is not waited for.
    func quit() async {
        let timer = channel.eventLoop.scheduleTask(in: .seconds(1)) { [channel] in channel.close(promise: nil) }
        _ = try? await command("QUIT")
        timer.cancel()
        close()
    }

    func close() { channel.close(promise: nil) }

    private func command(_ line: String) async throws(SMTPError) -> SMTPReply {
        try await exchange(ByteBuffer(string: "\(line)\r\n"))
    }

    private func exchange(_ bytes: ByteBuffer) async throws(SMTPError) -> SMTPReply {
        do {
            return try await withTaskCancellationHandler {
                try await channel.eventLoop.flatSubmit { [channel, replies] in
                    let promise = channel.eventLoop.makePromise(of: SMTPReply.self)
                    replies.value.awaitReply(promise)
                    // A failed write closes the channel, and the handler fails the promise.
                    channel.writeAndFlush(bytes, promise: nil)
                    return promise.futureResult
                }.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            throw SMTPError(error)
        }
    }

    private func nextReply() async throws(SMTPError) -> SMTPReply { try await exchange(ByteBuffer()) }

    private static func require(_ kind: Int, _ reply: SMTPReply, _ command: String) throws(SMTPError) {
        guard reply.kind == kind else {
            throw .refused(command: command, code: reply.code, status: reply.status)
        }
    }

    private static func requireAuthentication(_ kind: Int, _ reply: SMTPReply) throws(SMTPError) {
        guard reply.kind == kind else { throw .authenticationFailed(code: reply.code, status: reply.status) }
    }
}
