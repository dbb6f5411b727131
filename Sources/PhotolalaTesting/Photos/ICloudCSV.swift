/// The tables of a copy of iCloud Photos.
package enum ICloudCSV {
    /// A table of photos.
    package static func photos(_ rows: [String]) -> String {
        let header = "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate"
        return ([header] + rows).joined(separator: "\n") + "\n"
    }

    /// - Parameters:
    ///   - date: Such as `July 8,2017 5:24 PM`.
    ///   - marks: The columns favorite, hidden and deleted.
    package static func row(_ name: String, _ date: String, _ marks: String) -> String {
        #""\#(name)",AfQj57ORF2JIumUCjO+PawZ9nqPg,\#(marks),"Saturday \#(date) GMT",0,"Saturday \#(date) GMT""#
    }
}
