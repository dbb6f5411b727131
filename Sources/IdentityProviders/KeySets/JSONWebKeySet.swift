import JSONCoding

/// The public keys of a provider (RFC 7517 section 5). Unusable keys are skipped individually, so that a new kind of
/// key at a provider blocks no sign-in.
struct JSONWebKeySet: Sendable {
    /// The largest accepted document, in bytes.
    static let maximumSize = 256 * 1024
    private static let maximumCount = 64

    private let keys: [String: [JSONWebKey]]
    private let keysWithoutID: [JSONWebKey]

    /// - Throws: `KeySetError` if the document is not a key set, lists too many keys or has no usable key.
    init(_ bytes: some Sequence<UInt8>) throws(KeySetError) {
        guard let listed = (try? JSONReader.read(bytes))?.object?["keys"]?.array else { throw .notAKeySet }
        guard listed.count <= Self.maximumCount else { throw .tooManyKeys }
        var (keys, unnamed): ([String: [JSONWebKey]], [JSONWebKey]) = ([:], [])
        for key in listed.lazy.compactMap(JSONWebKey.init) {
            if let id = key.id { keys[id, default: []].append(key) } else { unnamed.append(key) }
        }
        guard !keys.isEmpty || !unnamed.isEmpty else { throw .noUsableKey }
        (self.keys, self.keysWithoutID) = (keys, unnamed)
    }

    /// Returns the key with this id that supports this algorithm or, without an id, the only key that does (OpenID
    /// Connect Core section 10.1). Returns `nil` if several keys match.
    func key(id: String?, for algorithm: JWSAlgorithm) -> JSONWebKey? {
        let named = id.map { keys[$0] ?? [] } ?? keys.values.flatMap(\.self) + keysWithoutID
        let fitting = named.filter { $0.accepts(algorithm) }
        return fitting.count == 1 ? fitting[0] : nil
    }
}

/// Why a provider's key set could not be fetched.
enum KeySetError: Error, Equatable, Sendable, CustomStringConvertible {
    case notAKeySet
    case tooManyKeys
    case noUsableKey
    case notADiscoveryDocument
    /// The discovery document names another issuer.
    case otherIssuer
    /// The discovery document of an https issuer has a key set URL without https.
    case plainKeySet
    case tooLarge
    /// The status is not 200 or the content type is not JSON.
    case unexpectedStatus(status: Int)
    case unreachable(String)

    /// The description for the log.
    var description: String {
        switch self {
        case .notAKeySet: "response is not a key set"
        case .tooManyKeys: "too many keys in the key set"
        case .noUsableKey: "no usable key in the key set"
        case .notADiscoveryDocument: "response is not a discovery document"
        case .otherIssuer: "discovery document of another issuer"
        case .plainKeySet: "key set URL in the discovery document is not https"
        case .tooLarge: "response too large"
        case .unexpectedStatus(let status): "response has status \(status) or is not JSON"
        case .unreachable(let reason): reason
        }
    }
}
