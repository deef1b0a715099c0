import { BooleanField } from '~/ui/schema-form/BooleanField';
import { ChoiceField, ChoicesField } from '~/ui/schema-form/ChoiceField';
import type { FieldProps } from '~/ui/schema-form/context';
import { JsonField } from '~/ui/schema-form/JsonField';
import { ListField } from '~/ui/schema-form/ListField';
import { MapField } from '~/ui/schema-form/MapField';
import { NumberField } from '~/ui/schema-form/NumberField';
import { ObjectField } from '~/ui/schema-form/ObjectField';
import { TextField } from '~/ui/schema-form/TextField';
import { UnionField } from '~/ui/schema-form/UnionField';

/** The input that fits a field's shape. */
export function FieldInput(props: FieldProps) {
  const { shape } = props.field;
  switch (shape.kind) {
    case 'text':
      return <TextField {...props} shape={shape} />;
    case 'number':
      return <NumberField {...props} />;
    case 'boolean':
      return <BooleanField {...props} />;
    case 'choice':
      return <ChoiceField {...props} options={shape.options} />;
    case 'choices':
      return <ChoicesField {...props} options={shape.options} />;
    case 'list':
      return <ListField {...props} shape={shape} />;
    case 'map':
      return <MapField {...props} shape={shape} />;
    case 'object':
      return <ObjectField {...props} shape={shape} />;
    case 'union':
      return <UnionField {...props} shape={shape} />;
    case 'json':
      return <JsonField {...props} shape={shape} />;
    case 'fixed':
      return null;
  }
}
