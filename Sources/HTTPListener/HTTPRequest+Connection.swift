import HTTPTypes

extension HTTPRequest {
    /// Whether the request names one host in one `Host` field, as RFC 9112 section 3.2 asks of every request.
    package var namesOneHost: Bool {
        // The first field is the authority; another one would still stand among the fields.
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

    /// Whether no other request follows: the client says so, or asks for a protocol that is not spoken here, behind which
    /// the decoder reads no further; or who named no host, or two, is not to be trusted with where its requests end.
    var endsConnection: Bool {
        if method == .connect || headerFields[.upgrade] != nil || !namesOneHost { return true }
        guard let options = headerFields[.connection] else { return false }
        return options.split(separator: ",").contains { $0.filter { !$0.isWhitespace }.lowercased() == "close" }
    }

    /// Whether the client holds its body back until it is told to go on (RFC 9110 section 10.1.1).
    package var expectsContinue: Bool { headerFields[.expect]?.lowercased() == "100-continue" }
}
