import Foundation
import PhotolalaAPI
import Transport

/// The SDK's network connections. Close it when the program no longer needs it.
public struct PhotolalaNetwork: Sendable {
    /// For the photo store.
    package let transport: any HTTPTransport
    /// For the servers of sessions.
    package let serverTransport: any HTTPTransport
    private let detectors: [StallDetectingTransport]
    /// The maximum number of files that uploads and downloads should transfer at the same time.
    let maximumParallelFiles: Int?
    private let clients: [any ClosableTransport]

    /// Creates the network without opening connections, which the first call does.
    /// - Parameters:
    ///   - stallTimeout: The time without transferred bytes after which a request fails. It is retried like other
    ///     failures; a store that does not respond for twice this time and three attempts ends the transfer with
    ///     `temporarilyUnavailable`.
    ///   - pins: The public keys that the servers of this network's sessions may have; a call to a server with another
    ///     key, or without TLS, fails with `serverNotTrusted`. By default, any key with a valid certificate.
    ///   - bandwidth: The maximum rate; `nil` for none.
    public init(
        stallTimeout: Duration = .seconds(60), pins: ServerPins? = nil, bandwidth: BandwidthSchedule? = nil
    ) {
        let idleTimeout = max(stallTimeout, Self.shortestIdleTimeout)
        self.init(stallTimeout: stallTimeout, pins: pins, bandwidth: bandwidth, now: { Date() }) { pins in
            AsyncHTTPTransport(connectionsPerHost: Self.connections, idleTimeout: idleTimeout, pins: pins)
        }
    }

    /// - Parameter makeTransport: Creates a transport without connections that checks the pins, if any.
    package init(
        stallTimeout: Duration, pins: ServerPins?, bandwidth: BandwidthSchedule? = nil,
        now: @escaping @Sendable () -> Date, makeTransport: (PublicKeyPins?) -> any ClosableTransport
    ) {
        let client = makeTransport(nil)
        let store = StallDetectingTransport(client, limit: stallTimeout)
        guard let pins else {
            self.init(transport: store, serverTransport: store, bandwidth: bandwidth, clients: [client])
            return
        }
        let pinned = makeTransport(pins.publicKeyPins(now: now))
        self.init(
            transport: store, serverTransport: StallDetectingTransport(pinned, limit: stallTimeout),
            bandwidth: bandwidth, clients: [pinned, client])
    }

    init(
        transport: StallDetectingTransport, serverTransport: StallDetectingTransport, bandwidth: BandwidthSchedule?,
        clients: [any ClosableTransport]
    ) {
        (detectors, self.clients) = ([transport, serverTransport], clients)
        maximumParallelFiles = bandwidth?.maximumParallelFiles
        self.serverTransport = serverTransport
        self.transport =
            bandwidth.map { schedule in
                PacedTransport(
                    transport,
                    limit: BandwidthLimit { schedule.bytesPerSecond(at: Date(), in: .autoupdatingCurrent) })
            } ?? transport
    }

    /// How long requests have been waiting without any transferred bytes, or how long a stalled server has not
    /// responded; `nil` if neither applies.
    public var stallDuration: Duration? {
        detectors.compactMap(\.stallDuration).max()
    }

    /// More connections than a backup and the app's other calls need together, because on a slow network a request that
    /// waits for a connection would time out.
    static let connections = 64
    static let shortestIdleTimeout = Duration.seconds(60)

    /// Closes all connections. Calls in progress fail.
    public func close() async {
        for client in clients { try? await client.shutdown() }
    }
}

extension PhotolalaSession {
    /// Creates a session that uses the profile's stored session, if any.
    /// - Parameters:
    ///   - server: The server of the account.
    ///   - profile: The device.
    ///   - network: The network, shared by all sessions of a program.
    ///   - storage: The storage of the tokens: `KeychainSecretStorage` on Apple platforms, `FileSecretStorage` on
    ///     others.
    ///   - deviceName: The device's name; by default, the stored name or the machine's.
    ///   - bindsSessions: Binds the tokens of new sessions to a key that this device creates and stores (RFC 9449), in
    ///     the Secure Enclave if available, so that stolen tokens are useless elsewhere. An existing session is not
    ///     changed.
    public init(
        server: ServerAddress, profile: ProfileDirectory, storage: any SecretStorage, network: PhotolalaNetwork,
        deviceName: String? = nil, bindsSessions: Bool = true
    ) {
        self.init(
            connection: ServiceConnection(server: server, transport: network.serverTransport), profile: profile,
            storage: storage, deviceName: deviceName, bindsSessions: bindsSessions, now: { Date() }
        )
    }
}
