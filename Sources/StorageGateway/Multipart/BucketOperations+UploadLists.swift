import Foundation
import HTTPTypes
import Hummingbird
import ObjectStorage
import PlainXML
import Secrets
import SigV4

extension BucketOperations {
    func listParts(_ call: Call, _ id: String) async throws -> Response {
        let record = try await openUpload(call, id, for: .listMultipartUploadParts)
        let (after, limit) = (
            try number(call, "part-number-marker") ?? 0, min(try number(call, "max-parts") ?? 1000, 1000)
        )
        let later = try await parts(call, id).filter { $0.key > after }.sorted { $0.key < $1.key }
        let page = later.prefix(limit)
        var xml = XMLText()
        xml.root("ListPartsResult") { xml in
            xml.element("Bucket", settings.bucket)
            xml.element("Key", record.key)
            xml.element("UploadId", id)
            xml.element("StorageClass", "STANDARD")
            xml.element("PartNumberMarker", String(after))
            xml.element("NextPartNumberMarker", page.last.map { String($0.key) })
            xml.element("MaxParts", String(limit))
            xml.element("IsTruncated", String(later.count > page.count))
            for (number, object) in page {
                xml.element("Part") {
                    $0.element("PartNumber", String(number))
                    $0.element("LastModified", S3Date.xml(object.lastModified))
                    $0.element("ETag", "\"\(object.etag)\"")
                    $0.element("Size", String(object.size))
                }
            }
        }
        return answer(xml)
    }

    /// The caller's own unfinished uploads under a prefix that is the caller's own, all in one page.
    func listMultipartUploads(_ call: Call) async throws -> Response {
        let prefix = call.request.parameter("prefix") ?? ""
        guard call.caller.policy.allowsListing(prefix: prefix) else { throw S3Error.accessDenied() }
        if call.request.parameter("delimiter")?.isEmpty == false { throw S3Error.notImplemented("A delimiter") }
        let open = try await openUploads(call).filter { $0.record.key.utf8.starts(with: prefix.utf8) }
            .sorted { $0.record.key.utf8.lexicographicallyPrecedes($1.record.key.utf8) }
        var xml = XMLText()
        xml.root("ListMultipartUploadsResult") { xml in
            xml.element("Bucket", settings.bucket)
            xml.element("Prefix", prefix)
            xml.element("MaxUploads", "1000")
            xml.element("IsTruncated", "false")
            for (id, record) in open {
                xml.element("Upload") {
                    $0.element("Key", record.key)
                    $0.element("UploadId", id)
                    $0.element("Initiated", S3Date.xml(record.initiated))
                    $0.element("StorageClass", "STANDARD")
                }
            }
        }
        return answer(xml)
    }

    private func openUploads(_ call: Call) async throws -> [(id: String, record: UploadRecord)] {
        let user = call.caller.session.user
        let walk = ListingWalk(store: store, prefix: UploadRecord.prefix(user), delimiter: "/")
        var open: [(id: String, record: UploadRecord)] = []
        for case .commonPrefix(let folder) in try await walk.entries(after: nil, skipsPrefix: false, limit: 1000)
            .entries
        {
            let id = String(folder.dropFirst(UploadRecord.prefix(user).count).dropLast())
            guard let stored = try await store.get(UploadRecord.key(user, id)) else { continue }
            let record = try UploadRecord(stored.bytes)
            if record.completedETag == nil && !isExpired(record) { open.append((id, record)) }
        }
        return open
    }

    private func number(_ call: Call, _ name: String) throws(S3Error) -> Int? {
        guard let text = call.request.parameter(name) else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw .invalidArgument("\(name) must be an integer between 0 and 2147483647")
        }
        return number
    }
}
