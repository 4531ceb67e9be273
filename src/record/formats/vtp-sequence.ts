/** A VTK PolyData file (XML, text) for every frame: ParaView opens the numbered files as one series. */
import { formatNumber } from '../../io/text/number-text.js';
import type { SequenceFormat } from './bake-format.js';

const text = new TextEncoder();

export const VTP_SEQUENCE: SequenceFormat = {
  kind: 'sequence',
  file({ vertexCount, triangles }, { positions, time }) {
    const count = triangles.length / 3;
    const points = Array.from({ length: 3 * vertexCount }, (_, i) => formatNumber(positions[i]));
    const offsets = Array.from({ length: count }, (_, t) => 3 * t + 3);
    return text.encode(
      [
        '<?xml version="1.0"?>',
        '<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian">',
        '<PolyData>',
        `<FieldData><DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">${formatNumber(time)}</DataArray></FieldData>`,
        `<Piece NumberOfPoints="${vertexCount}" NumberOfPolys="${count}">`,
        `<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">${points.join(' ')}</DataArray></Points>`,
        `<Polys><DataArray type="Int32" Name="connectivity" format="ascii">${Array.from(triangles).join(' ')}</DataArray>`,
        `<DataArray type="Int32" Name="offsets" format="ascii">${offsets.join(' ')}</DataArray></Polys>`,
        '</Piece>',
        '</PolyData>',
        '</VTKFile>',
        '',
      ].join('\n'),
    );
  },
};
