import HTTPTypes

extension HTTPRequest {
    /// Whether the request names one host in one `Host` field, as RFC 9112 section 3.2 requires.
    package var hasSingleHost: Bool {
        // The first field is the authority; a second one would remain among the fields.
        guard let authority, !authority.isEmpty, !headerFields.contains(where: { $0.name.canonicalName == "host" })
        else {
            return false
        }
        return authority.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~:[]%!$&'()*+;=".utf8.contains(byte)
            }
        }
    }

    /// Whether no other request follows: the client requests it, or asks for an unsupported protocol, after which the
    /// decoder reads no further. A client that names no host, or two, is not trusted with the end of its requests.
    var endsConnection: Bool {
        if method == .connect || headerFields[.upgrade] != nil || !hasSingleHost { return true }
        guard let options = headerFields[.connection] else { return false }
        return options.split(separator: ",").contains { $0.filter { !$0.isWhitespace }.lowercased() == "close" }
    }

    /// Whether the client waits for `100 Continue` before it sends its body (RFC 9110 section 10.1.1).
    package var expectsContinue: Bool { headerFields[.expect]?.lowercased() == "100-continue" }
}
