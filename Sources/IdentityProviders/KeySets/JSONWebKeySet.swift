import JWS

/// The public keys of a provider (RFC 7517 section 5). What cannot be used here is left out one by one, so that a
/// new kind of key at a provider stops nobody from signing in.
struct JSONWebKeySet: Sendable {
    /// Largest document read.
    static let maximumSize = 256 * 1024
    private static let maximumCount = 64

    private let keys: [String: [JSONWebKey]]
    private let unnamed: [JSONWebKey]

    /// - Throws: `KeySetError` when the document is no key set, lists too many keys or holds none that is usable.
    init(_ bytes: some Sequence<UInt8>) throws(KeySetError) {
        guard let listed = (try? JSONReader.read(bytes))?.object?["keys"]?.array else { throw .notAKeySet }
        guard listed.count <= Self.maximumCount else { throw .tooManyKeys }
        var (keys, unnamed): ([String: [JSONWebKey]], [JSONWebKey]) = ([:], [])
        for key in listed.lazy.compactMap(JSONWebKey.init) {
            if let id = key.id { keys[id, default: []].append(key) } else { unnamed.append(key) }
        }
        guard !keys.isEmpty || !unnamed.isEmpty else { throw .noUsableKey }
        (self.keys, self.unnamed) = (keys, unnamed)
    }

    /// The key with this id that may be used with this algorithm, or without an id the only one that may (OpenID Connect
    /// Core section 10.1). None is chosen when two answer to that.
    func key(id: String?, for algorithm: JWSAlgorithm) -> JSONWebKey? {
        let named = id.map { keys[$0] ?? [] } ?? keys.values.flatMap(\.self) + unnamed
        let fitting = named.filter { $0.accepts(algorithm) }
        return fitting.count == 1 ? fitting[0] : nil
    }
}

/// Why a provider's key set could not be had.
enum KeySetError: Error, Equatable, Sendable, CustomStringConvertible {
    case notAKeySet
    case tooManyKeys
    case noUsableKey
    case notADiscoveryDocument
    /// The document is another issuer's.
    case otherIssuer
    /// The document of an issuer with https names keys without.
    case plainKeySet
    case tooLarge
    /// The provider answered with another status than 200 or with something other than JSON.
    case unexpectedAnswer(status: Int)
    case notReached(String)

    /// For the log.
    var description: String {
        switch self {
        case .notAKeySet: "the answer is no key set"
        case .tooManyKeys: "the answer lists too many keys"
        case .noUsableKey: "the answer holds no key that can be used"
        case .notADiscoveryDocument: "the answer is no discovery document"
        case .otherIssuer: "the discovery document names another issuer"
        case .plainKeySet: "the discovery document names keys at an address that is not https"
        case .tooLarge: "the answer is too long"
        case .unexpectedAnswer(let status): "the answer has status \(status) or is not JSON"
        case .notReached(let reason): reason
        }
    }
}
