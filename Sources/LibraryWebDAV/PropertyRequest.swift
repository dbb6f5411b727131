import NIOCore
import S3Protocol

/// The properties that a `PROPFIND` requests (RFC 4918 section 9.1).
enum PropertyRequest: Equatable {
    case all
    case names
    case some([PropertyName])

    static let maximumProperties = 100

    /// - Parameter body: The document; empty for all properties.
    /// - Throws: If it is no `propfind` document.
    init(_ body: ByteBuffer) throws(MalformedPropertyRequest) {
        guard body.readableBytes > 0 else {
            self = .all
            return
        }
        let root: PlainElement
        do { root = try XMLReader.read(body.readableBytesView) } catch { throw MalformedPropertyRequest() }
        guard root.name == "propfind", root.namespace == PropertyName.dav else { throw MalformedPropertyRequest() }
        let choices = root.children.filter { $0.namespace == PropertyName.dav }
        switch choices.first(where: { ["allprop", "propname", "prop"].contains($0.name) }) {
        case let choice? where choice.name == "prop":
            guard choice.children.count <= Self.maximumProperties else { throw MalformedPropertyRequest() }
            self = .some(choice.children.map { PropertyName(name: $0.name, namespace: $0.namespace) })
        case let choice? where choice.name == "propname": self = .names
        case nil: throw MalformedPropertyRequest()
        default: self = .all
        }
    }
}

/// The name of a property.
struct PropertyName: Hashable {
    static let dav = "DAV:"

    let name: String
    let namespace: String?
}

/// The body of a `PROPFIND` is no `propfind` document, or requests too many properties.
struct MalformedPropertyRequest: Error {}
