import Foundation
import HTTPTypes
import Hummingbird
import ObjectStorage
import S3Protocol
import Secrets

extension BucketOperations {
    /// Performs ListParts. Reads the metadata of each part on the page for its checksum, if the upload has one.
    func listParts(_ call: Call, _ id: String) async throws -> Response {
        let record = try await openUpload(call, id, for: .listMultipartUploadParts)
        let after = try UploadListQuery.number(call.request, "part-number-marker") ?? 0
        let limit = min(try UploadListQuery.number(call.request, "max-parts") ?? 1000, 1000)
        let later = try await parts(call, id).filter { $0.key > after }.sorted { $0.key < $1.key }
        let page = later.prefix(limit)
        let checksums =
            record.checksum == nil ? page.map { _ in nil } : try await partChecksums(page.map { $0.value })
        var xml = XMLWriter()
        xml.root("ListPartsResult") { xml in
            xml.element("Bucket", settings.bucket)
            xml.element("Key", record.key)
            xml.element("UploadId", id)
            xml.element("StorageClass", "STANDARD")
            record.checksum?.write(to: &xml)
            xml.element("PartNumberMarker", String(after))
            xml.element("NextPartNumberMarker", page.last.map { String($0.key) })
            xml.element("MaxParts", String(limit))
            xml.element("IsTruncated", String(limit > 0 && later.count > page.count))
            for ((number, object), checksum) in zip(page, checksums) {
                xml.element("Part") {
                    $0.element("PartNumber", String(number))
                    $0.element("LastModified", S3Date.xml(object.lastModified))
                    $0.element("ETag", "\"\(object.etag)\"")
                    $0.element("Size", String(object.size))
                    checksum?.write(to: &$0)
                }
            }
        }
        return xmlResponse(xml)
    }

    /// Performs ListMultipartUploads: the caller's own unfinished uploads, by key and then by start time. Reads the
    /// record of every upload of the caller for each page, and charges them to the account's request limit.
    func listMultipartUploads(_ call: Call) async throws -> Response {
        let query = try UploadListQuery(call.request)
        guard !call.caller.policy.listedPrefixes(below: query.prefix).isEmpty else { throw S3Error.accessDenied() }
        let page = try await page(call, query)
        var xml = XMLWriter()
        xml.root("ListMultipartUploadsResult") { xml in
            xml.element("Bucket", settings.bucket)
            xml.element("KeyMarker", query.encodedName(query.keyMarker))
            xml.element("UploadIdMarker", query.idMarker)
            if page.isTruncated, let last = page.entries.last {
                xml.element("NextKeyMarker", query.encodedName(last.name))
                xml.element("NextUploadIdMarker", last.id)
            }
            xml.element("Prefix", query.encodedName(query.prefix))
            xml.element("Delimiter", query.delimiter.map(query.encodedName))
            xml.element("EncodingType", query.encodesNames ? "url" : nil)
            xml.element("MaxUploads", String(query.limit))
            xml.element("IsTruncated", String(page.isTruncated))
            for entry in page.entries { write(entry, query, into: &xml) }
        }
        return xmlResponse(xml)
    }

    private func write(_ entry: UploadPage.Entry, _ query: UploadListQuery, into xml: inout XMLWriter) {
        guard let upload = entry.upload else {
            return xml.element("CommonPrefixes") { $0.element("Prefix", query.encodedName(entry.name)) }
        }
        xml.element("Upload") {
            $0.element("Key", query.encodedName(entry.name))
            $0.element("UploadId", upload.id)
            $0.element("Initiated", S3Date.xml(upload.initiated))
            $0.element("StorageClass", "STANDARD")
            upload.checksum?.write(to: &$0)
        }
    }

    private func page(_ call: Call, _ query: UploadListQuery) async throws -> UploadPage {
        let user = call.caller.session.user
        let prefix = UploadRecord.prefix(user)
        let walk = ListingWalk(store: store, prefix: prefix, delimiter: "/")
        var page = UploadPage(query)
        var after: String?
        var recordCount = 0
        defer { limits.charge(records: recordCount, to: user) }
        while true {
            let folders = try await walk.entries(after: after, skipsPrefix: after != nil, limit: 1000)
            for case .commonPrefix(let folder) in folders.entries {
                after = folder
                let id = String(folder.dropFirst(prefix.count).dropLast())
                // The upload may have been completed or aborted since it was listed.
                guard let stored = try await store.get(UploadRecord.key(user, id)) else { continue }
                recordCount += 1
                let record = try UploadRecord(stored.bytes)
                guard record.completedETag == nil, !isExpired(record),
                    call.caller.policy.allowsListing(prefix: record.key)
                else { continue }
                page.add(id, record)
            }
            if !folders.isTruncated { return page }
        }
    }
}
