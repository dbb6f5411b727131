import HTTPTypes
import Hummingbird
import ObjectStorage
import S3Protocol

extension BucketOperations {
    /// Performs GetObjectAttributes: returns the attributes named in `x-amz-object-attributes`.
    func getObjectAttributes(_ call: Call) async throws -> Response {
        let folder = try implicitFolder(call)
        let key = try folder == nil ? call.key(for: .getObject) : nil
        let query = try AttributesQuery(call.request.headers)
        var info = folder
        if let key { info = try await store.head(key) }
        guard let info else { throw S3Error.noSuchKey }
        if let refused = try failedConditionResponse(call, info) { return refused }
        var xml = XMLWriter()
        xml.root("GetObjectAttributesResponse") { xml in
            if query.names.contains(.etag) { xml.element("ETag", info.etag.description) }
            let checksum = ContentChecksum(info.attributes)
            if query.names.contains(.checksum), let checksum {
                xml.element("Checksum") { xml in
                    checksum.write(to: &xml)
                    xml.element("ChecksumType", checksum.type.rawValue)
                }
            }
            if query.names.contains(.objectParts), let layout = PartLayout(info) {
                xml.element("ObjectParts") { write(layout, checksum, query, into: &$0) }
            }
            if query.names.contains(.storageClass) { xml.element("StorageClass", "STANDARD") }
            if query.names.contains(.objectSize) { xml.element("ObjectSize", String(info.size)) }
        }
        return xmlResponse(xml, headers: [.lastModified: S3Date.http(info.lastModified)])
    }

    /// As in S3, the parts are listed only if their checksums are known.
    private func write(
        _ layout: PartLayout, _ checksum: ContentChecksum?, _ query: AttributesQuery, into xml: inout XMLWriter
    ) {
        xml.element("PartsCount", String(layout.sizes.count))
        guard let checksum, !layout.checksums.isEmpty else { return }
        let page = layout.sizes.indices.dropFirst(query.marker).prefix(query.limit)
        xml.element("PartNumberMarker", String(query.marker))
        xml.element("NextPartNumberMarker", page.last.map { String($0 + 1) })
        xml.element("MaxParts", String(query.limit))
        xml.element("IsTruncated", String(page.last.map { $0 + 1 < layout.sizes.count } ?? false))
        for index in page {
            xml.element("Part") { xml in
                xml.element("PartNumber", String(index + 1))
                xml.element("Size", String(layout.sizes[index]))
                xml.element(checksum.algorithm.elementName, layout.checksums[index])
            }
        }
    }
}
