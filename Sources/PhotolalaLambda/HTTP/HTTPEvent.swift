import Foundation
import HTTPTypes
import Hummingbird
import JSONCoding
import NIOCore

/// A request in the payload format 2.0 of function URLs and of API Gateway's HTTP APIs.
struct HTTPEvent {
    let request: Request
    /// The client's address from `requestContext.http.sourceIp`, the only one that AWS guarantees: anyone can send
    /// `X-Forwarded-For`. `nil` if it is no address.
    let client: SocketAddress?

    /// Why an event is no request.
    enum Refusal: Error {
        case invalid(InvocationFailure)
        /// The header fields are larger than a server accepts.
        case headTooLarge

        static func invalidEvent(_ what: String) -> Refusal { .invalid(.invalidEvent(what)) }
    }

    /// The largest method, target and header fields, and the most fields, as on a server.
    private static let headLimit = (bytes: 16 << 10, fields: 100)

    init(_ event: ByteBuffer) throws(Refusal) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.read(event.readableBytesView) } catch {
            throw .invalidEvent("The event is not valid JSON.")
        }
        guard let members = value.object else { throw .invalidEvent("The event is not an object.") }
        guard members["version"]?.string == "2.0" else {
            throw .invalidEvent("The event does not have payload format 2.0. Configure the integration to use it.")
        }
        guard let context = members["requestContext"]?.object, let http = context["http"]?.object,
            let method = http["method"]?.string.flatMap(HTTPRequest.Method.init(_:)),
            let path = members["rawPath"]?.string ?? http["path"]?.string
        else { throw .invalidEvent("The event has no method or no path.") }
        guard Self.headFits(members, method.rawValue.utf8.count + path.utf8.count) else { throw .headTooLarge }
        client = http["sourceIp"]?.string.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }
        let hasStage = http["path"]?.string.map { $0 == path } ?? true
        var target = Self.encoded(
            hasStage ? Self.withoutStage(path, context["stage"]?.string, routeKey: members["routeKey"]?.string) : path,
            and: "?#")
        if !target.hasPrefix("/") { target = "/\(target)" }
        if let query = members["rawQueryString"]?.string, !query.isEmpty {
            target += "?\(Self.encoded(query, and: "#"))"
        }
        let (headers, host) = Self.headers(members)
        let head = HTTPRequest(
            method: method, scheme: "https", authority: host ?? context["domainName"]?.string, path: target,
            headerFields: headers)
        request = Request(head: head, body: RequestBody(buffer: try Self.body(members)))
    }

    /// Whether method, target and fields are no larger than a server accepts. Counted before fields are created.
    private static func headFits(_ members: [String: JSONValue], _ start: Int) -> Bool {
        let headers = members["headers"]?.object ?? [:]
        guard headers.count <= headLimit.fields else { return false }
        var bytes = start + (members["rawQueryString"]?.string?.utf8.count ?? 0)
        for (name, value) in headers { bytes += name.utf8.count + (value.string?.utf8.count ?? 0) }
        for cookie in members["cookies"]?.array ?? [] { bytes += (cookie.string?.utf8.count ?? 0) + 2 }
        return bytes <= headLimit.bytes
    }

    /// API Gateway puts the name of a stage before the path; not with a domain of one's own. A stage that has the name
    /// of a path's first part is distinguished by the route, such as `POST /auth/signin`.
    private static func withoutStage(_ path: String, _ stage: String?, routeKey: String?) -> String {
        guard let stage, stage != "$default", path == "/\(stage)" || path.hasPrefix("/\(stage)/") else { return path }
        let rest = path.dropFirst(stage.count + 1)
        let routePath = routeKey?.split(separator: " ").dropFirst().first ?? ""
        guard !routePath.hasPrefix("/\(stage)/") || rest.hasPrefix("/\(stage)/") else { return path }
        return rest.isEmpty ? "/" : String(rest)
    }

    /// Encodes what may not stand in a request target (RFC 9112 section 3.2), and other characters: API Gateway decodes
    /// paths.
    private static func encoded(_ text: String, and others: String) -> String {
        let isVisible = { (byte: UInt8) in (0x21...0x7e).contains(byte) && !others.utf8.contains(byte) }
        guard !text.utf8.allSatisfy(isVisible) else { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isVisible(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the header fields, and the host, which is no field in a request's head. AWS joins the values of a field
    /// with commas, and lists cookies separately.
    private static func headers(_ members: [String: JSONValue]) -> (fields: HTTPFields, host: String?) {
        var fields = HTTPFields()
        var host: String?
        for (name, value) in members["headers"]?.object ?? [:] {
            guard let name = HTTPField.Name(name), let value = value.string else { continue }
            switch name.canonicalName {
            case "host": host = value
            // The body is here already.
            case "expect": continue
            default: fields.append(HTTPField(name: name, value: value))
            }
        }
        if let cookies = members["cookies"]?.array?.compactMap(\.string), !cookies.isEmpty {
            fields[.cookie] = cookies.joined(separator: "; ")
        }
        return (fields, host)
    }

    private static func body(_ members: [String: JSONValue]) throws(Refusal) -> ByteBuffer {
        guard let body = members["body"], body != .null else { return ByteBuffer() }
        guard let text = body.string else { throw .invalidEvent("The event's body is not text.") }
        guard members["isBase64Encoded"] == .bool(true) else { return ByteBuffer(string: text) }
        guard let bytes = Data(base64Encoded: text) else { throw .invalidEvent("The event's body is not base64.") }
        return ByteBuffer(bytes: bytes)
    }
}
