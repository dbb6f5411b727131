import HTTPTypes
import Hummingbird
import ObjectStorage
import S3Protocol

extension BucketOperations {
    /// Performs ListObjects in both versions, which differ in how a listing continues. A prefix above the caller's
    /// own prefixes lists only those.
    func listObjects(_ call: Call, version: Int) async throws -> Response {
        let request = call.request
        let query = try ListQuery(request, version: version)
        let scopes = call.caller.policy.listedPrefixes(below: query.prefix)
        guard !scopes.isEmpty else { throw S3Error.accessDenied() }
        let walk = ListingWalk(store: store, prefix: query.prefix, delimiter: query.delimiter, scopes: scopes)
        let found = try await walk.entries(after: query.after, skipsPrefix: query.skipsPrefix, limit: query.limit)
        var xml = XMLWriter()
        xml.root("ListBucketResult") { xml in
            xml.element("Name", settings.bucket)
            xml.element("Prefix", query.encodedName(query.prefix))
            xml.element("Delimiter", query.delimiter.map(query.encodedName))
            xml.element("MaxKeys", String(query.limit))
            xml.element("EncodingType", query.encodesNames ? "url" : nil)
            xml.element("IsTruncated", String(found.isTruncated))
            if version == 2 {
                xml.element("KeyCount", String(found.entries.count))
                xml.element("ContinuationToken", request.parameter("continuation-token"))
                xml.element("StartAfter", request.parameter("start-after").map(query.encodedName))
                xml.element(
                    "NextContinuationToken", found.isTruncated ? found.entries.last.map(ContinuationToken.encode) : nil)
            } else {
                xml.element("Marker", query.encodedName(request.parameter("marker") ?? ""))
                xml.element(
                    "NextMarker", found.isTruncated ? found.entries.last.map { query.encodedName(name($0)) } : nil)
            }
            for entry in found.entries { write(entry, query, call, into: &xml) }
        }
        return xmlResponse(xml)
    }

    private func write(_ entry: ListingWalk.Entry, _ query: ListQuery, _ call: Call, into xml: inout XMLWriter) {
        switch entry {
        case .commonPrefix(let prefix):
            xml.element("CommonPrefixes") { $0.element("Prefix", query.encodedName(prefix)) }
        case .object(let object):
            xml.element("Contents") { xml in
                xml.element("Key", query.encodedName(object.key.description))
                xml.element("LastModified", S3Date.xml(object.lastModified))
                xml.element("ETag", "\"\(object.etag)\"")
                xml.element("Size", String(object.size))
                if query.namesOwner {
                    xml.element("Owner") { $0.element("ID", call.caller.session.user.description) }
                }
                xml.element("StorageClass", "STANDARD")
            }
        }
    }

    private func name(_ entry: ListingWalk.Entry) -> String {
        switch entry {
        case .object(let object): object.key.description
        case .commonPrefix(let prefix): prefix
        }
    }
}
