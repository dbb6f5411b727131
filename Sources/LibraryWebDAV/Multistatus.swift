import S3Protocol

/// Writes the responses of a `PROPFIND` (RFC 4918 section 14.16).
enum Multistatus {
    static let start = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:multistatus xmlns:D=\"DAV:\">"
    static let end = "</D:multistatus>"

    /// Returns the element of one resource.
    static func element(_ resource: Resource, _ request: PropertyRequest) -> String {
        var xml = XMLWriter(fragment: ())
        xml.element("D:response") { xml in
            xml.element("D:href", resource.href)
            switch request {
            case .all: write(resource.names, of: resource, to: &xml)
            case .names:
                status(&xml, "200 OK") { xml in for name in resource.names { xml.element("D:\(name)") { _ in } } }
            case .some(let wanted):
                let known = wanted.filter { $0.namespace == PropertyName.dav && resource.value($0.name) != nil }
                write(known.map(\.name), of: resource, to: &xml)
                let missing = wanted.filter { !known.contains($0) }
                guard !missing.isEmpty else { return }
                status(&xml, "404 Not Found") { xml in for name in missing { xml.empty(name.name, in: name.namespace) }
                }
            }
        }
        return xml.text
    }

    private static func write(_ names: [String], of resource: Resource, to xml: inout XMLWriter) {
        guard !names.isEmpty else { return }
        status(&xml, "200 OK") { xml in
            for name in names {
                if name == "resourcetype", case .folder = resource {
                    xml.element("D:resourcetype") { $0.element("D:collection") { _ in } }
                } else {
                    xml.element("D:\(name)", resource.value(name))
                }
            }
        }
    }

    private static func status(_ xml: inout XMLWriter, _ status: String, _ properties: (inout XMLWriter) -> Void) {
        xml.element("D:propstat") { xml in
            xml.element("D:prop", properties)
            xml.element("D:status", "HTTP/1.1 \(status)")
        }
    }
}
