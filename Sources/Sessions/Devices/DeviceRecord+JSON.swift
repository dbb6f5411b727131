import JSONCoding
import PhotolalaAPI

/// The stored form of a device record, which every sign-in and refresh writes: the bytes that its `Encodable` conformance
/// would give, without the containers that each value would need.
extension DeviceRecord {
    package func encoded() -> [UInt8] {
        var json = JSONObjectWriter()
        json.append("version", version)
        json.append("id", id.description)
        json.append("incarnation", incarnation)
        json.append("name", name)
        if let model { json.append("model", model) }
        json.append("platform", platform)
        json.append("createdAt", createdAt)
        json.append("lastSeenAt", lastSeenAt)
        if let lastSyncAt { json.append("lastSyncAt", lastSyncAt) }
        if let country { json.append("country", country.description) }
        if let session { json.append("session", session.write) }
        if let removedAt { json.append("removedAt", removedAt) }
        json.append("notedActs", notedActs)
        json.append("acts", count: acts.count) { acts[$1].write(to: &$0) }
        if let lastActID { json.append("lastActID", lastActID) }
        return json.finished()
    }
}

extension SessionRecord {
    fileprivate func write(to json: inout JSONObjectWriter) {
        json.append("id", id.description)
        json.append("link", link.description)
        json.append("epoch", epoch)
        json.append("startedAt", startedAt)
        json.append("expiresAt", expiresAt)
        if let slides { json.append("slides", slides) }
        if let client { json.append("client", client) }
        if let key { json.append("key", key.description) }
        json.append("counter", Int(counter))
        json.append("rotatedAt", rotatedAt)
        json.append("authTime", authTime)
        if let identityProvedAt { json.append("identityProvedAt", identityProvedAt) }
        if let authenticatedLink { json.append("authenticatedLink", authenticatedLink.description) }
    }
}

extension PendingAuditEvent {
    fileprivate func write(to json: inout JSONObjectWriter) {
        json.append("sequence", sequence)
        json.append("id", id)
        json.append("at", at)
        json.append("act", act.rawValue)
        if let provider { json.append("provider", provider.description) }
        if let link { json.append("link", link.description) }
        if let by { json.append("by", by.description) }
        if let isNewDevice { json.append("isNewDevice", isNewDevice) }
        if let country { json.append("country", country.description) }
    }
}
